import type { KindTypes } from '../../domain/decider.ts'
import type { Ref } from '../../domain/references.ts'
import type { Eventually } from '../../domain/eventually.ts'
import { addressed, isNotOwner, NoSuchActor, type LocalActors } from '../../ports/actors.ts'
import type { LinkHandler } from '../../ports/node-link.ts'
import type { ShardMapView } from '../../ports/shard-map.ts'
import { failureFrame, notOwnerFrame, replyFrame } from './answer.ts'
import type { ReportAsk } from './other-nodes.ts'
import { readRequest, type AskRequest, type ReceivedAsk } from './request.ts'
import { unavailable } from './settings.ts'

type Parts = {
  readonly local: LocalActors
  readonly map: ShardMapView
  readonly report: ReportAsk
}

/**
 * Answers what other nodes ask, by this node's own actors alone: nothing is passed on, so no ask goes round in circles.
 * Every answer is an outcome; the link itself hears of no failure.
 */
export const answering =
  ({ local, map, report }: Parts): LinkHandler =>
  async (body, from) => {
    let asked: ReceivedAsk
    try {
      asked = readRequest(body)
    } catch (error) {
      report({ node: from, error })
      return failureFrame(unavailable('the node that serves the record cannot read what it is asked'))
    }
    const { version } = map.current()
    // Who asks by a newer map may know before us that a shard is ours, or is ours no more.
    if (asked.mapVersion > version) map.refreshed(asked.mapVersion).catch(() => undefined)
    if (asked.shard === null) return failureFrame(new NoSuchActor())
    if (!local.takes(asked.shard)) return notOwnerFrame(version)
    try {
      return replyFrame(await done(local, asked.request, asked.timeoutMs))
    } catch (error) {
      return isNotOwner(error) ? notOwnerFrame(map.current().version) : failureFrame(error)
    }
  }

const refOf = (actor: string): Ref<KindTypes> => actor as Ref<KindTypes>

const done = (local: LocalActors, request: AskRequest, timeoutMs: number): Eventually<unknown> => {
  switch (request[0]) {
    case 'ask': {
      const [, actor, command, commandId, tenant, mayLinger = false] = request
      return local.askHere(refOf(actor), command, { commandId, tenant, timeoutMs, mayLinger })
    }
    case 'read': {
      const [, actor, view, tenant, mayLoad] = request
      return local.read(refOf(actor), { view, tenant, timeoutMs, mayLoad: () => mayLoad })
    }
    case 'together': {
      const [, members, commandId, tenant, mayLinger = false] = request
      const addressees = members.map(([actor, command]) => addressed(refOf(actor), command))
      return local.askAtomically(addressees, { commandId, tenant, timeoutMs, mayLinger })
    }
    case 'remove':
      // JSON has no `undefined`.
      return local.remove(request[1]).then(() => null)
    case 'look':
      return null
  }
}
