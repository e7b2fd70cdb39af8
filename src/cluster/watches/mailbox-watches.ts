import type { MailboxWatch } from '../../ports/mailbox-watch.ts'
import type { NodeLink } from '../../ports/node-link.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { ShardMapView } from '../../ports/shard-map.ts'
import { decode, encode } from '../json-bytes.ts'
import { connectAnnouncing } from './announcing.ts'
import { KeptWatches } from './kept-watches.ts'
import { ending, LocalWatches } from './local-watches.ts'
import type { WatchSettings } from './settings.ts'
import { Teller } from './teller.ts'
import {
  HOLD,
  type Hold,
  type HoldAnswer,
  readHoldAnswer,
  readHolds,
  TELL,
  type TellAnswer,
} from './watch-messages.ts'
import { WatchNotes } from './watch-notes.ts'

export type MailboxWatchesPorts = {
  readonly node: string
  readonly link: Pick<NodeLink, 'handle' | 'request' | 'onPeer'>
  readonly map: Pick<ShardMapView, 'ownerOf' | 'refreshed' | 'current' | 'onChange'>
  readonly runtime: Runtime
  /** Of a shard that this node serves, the epoch of its `open` record. */
  readonly epochOf: (shard: number) => number | null
}

export type MailboxWatches = MailboxWatch & {
  readonly size: () => {
    readonly here: number
    readonly kept: number
    readonly due: number
    readonly noted: number
  }
  readonly stop: () => void
}

/** Both sides of this node, over the link. Called before the link is started. */
export const connectMailboxWatches = (
  ports: MailboxWatchesPorts,
  settings: WatchSettings,
): MailboxWatches => {
  const { node, link, map, runtime, epochOf } = ports
  const { requestTimeoutMs, namesMax } = settings
  const local = new LocalWatches()
  const notes = new WatchNotes({ runtime, epochOf }, settings)
  const holdHere = (from: string, holds: readonly Hold[]): HoldAnswer => ({
    mapVersion: map.current().version,
    held: holds.map(([mailbox, token]) => notes.hold(from, mailbox, token)),
  })
  const kept = new KeptWatches(
    {
      runtime,
      map,
      hold: async (owner, holds) => {
        if (owner === node) return holdHere(node, holds)
        const answer = await link.request(owner, HOLD, encode(holds), { timeoutMs: requestTimeoutMs })
        return readHoldAnswer(answer, holds.length)
      },
      mayHaveMissed: (mailbox) => void local.tell(mailbox),
    },
    settings,
  )
  link.handle(HOLD, async (body, from) => encode(holdHere(from, readHolds(body, namesMax))))
  const teller = new Teller({ ...ports, local, notes }, settings)
  link.handle(TELL, async (body) => {
    const mailbox = String(decode(body))
    const answer: TellAnswer = local.has(mailbox) ? taken(await teller.toldHere(mailbox)) : 'gone'
    return encode(answer)
  })
  const announcing = connectAnnouncing({ ...ports, teller }, settings)
  const offs = [
    map.onChange(() => kept.lookWhere()),
    link.onPeer((peer) => peer.isConnected && kept.connectedWith(peer.node)),
  ]
  return {
    announce: (mailbox) => announcing.announce(mailbox),
    watch: async (mailbox, onMessage) => {
      local.add(mailbox, onMessage)
      await kept.keep(mailbox)
      return ending(() => {
        local.remove(mailbox, onMessage)
        if (!local.has(mailbox)) kept.letGo(mailbox)
      })
    },
    size: () => ({ here: local.size, ...kept.size, noted: notes.size }),
    stop: () => {
      kept.stop()
      teller.stop()
      announcing.stop()
      for (const off of offs) off()
    },
  }
}

const taken = (isTaken: boolean): TellAnswer => (isTaken ? 'taken' : 'untaken')
