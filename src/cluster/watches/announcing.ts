import { shardDigits } from '../../domain/references.ts'
import type { NodeLink } from '../../ports/node-link.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { ShardMapView } from '../../ports/shard-map.ts'
import { SameLimit } from '../../timing/same-limit.ts'
import { decode, encode } from '../json-bytes.ts'
import { FewAtOnce } from './few-at-once.ts'
import type { WatchSettings } from './settings.ts'
import type { Teller } from './teller.ts'
import { ANNOUNCE, type AnnounceAnswer, readAnnounceAnswer } from './watch-messages.ts'

export type AnnouncingPorts = {
  readonly node: string
  readonly link: Pick<NodeLink, 'handle' | 'request'>
  readonly map: Pick<ShardMapView, 'ownerOf' | 'refreshed' | 'current'>
  readonly runtime: Pick<Runtime, 'sleep' | 'monotonicMs'>
  readonly epochOf: (shard: number) => number | null
  readonly teller: Teller
}

/**
 * A message is taken by any node, and those who watch are known to the owner of its mailbox: it is told until it has heard
 * of it, or time is up.
 */
export const connectAnnouncing = (
  { node, link, map, runtime, epochOf, teller }: AnnouncingPorts,
  { announceTimeoutMs, requestTimeoutMs, retryMs, retryMsMax, atOnceMax }: WatchSettings,
): { readonly announce: (mailbox: string) => Promise<boolean>; readonly stop: () => void } => {
  const limit = new SameLimit(runtime, announceTimeoutMs)
  /** After this it is asked again, while the answer to what was asked before is still waited for. */
  const again = new SameLimit(runtime, requestTimeoutMs)
  const isServedHere = (mailbox: string): boolean => epochOf(shardDigits(mailbox)) !== null
  const here = async (mailbox: string): Promise<AnnounceAnswer> => {
    const mapVersion = map.current().version
    if (!isServedHere(mailbox)) return { is: 'elsewhere', mapVersion }
    return { is: (await teller.tellAll(mailbox)) ? 'taken' : 'untaken', mapVersion }
  }
  // To tell takes less time than whoever announces waits.
  link.handle(ANNOUNCE, async (body) => encode(await here(String(decode(body)))))
  const toOwner = async (mailbox: string, timeoutMs: number): Promise<AnnounceAnswer | null> => {
    const owner = map.ownerOf(shardDigits(mailbox))
    if (owner === null) return null
    if (owner === node) return here(mailbox)
    return link
      .request(owner, ANNOUNCE, encode(mailbox), { timeoutMs })
      .then(readAnnounceAnswer)
      .catch(() => null)
  }
  /** What has been asked may be lost without a word, so it is asked again; an owner that hears of it twice looks twice. */
  const untilHeard = async (mailbox: string): Promise<boolean> => {
    const endMs = runtime.monotonicMs() + announceTimeoutMs
    let isTaken: boolean | null = null
    const ask = async (leftMs: number): Promise<AnnounceAnswer | null> => {
      const answer = await toOwner(mailbox, leftMs)
      if (answer !== null && answer.is !== 'elsewhere') isTaken ??= answer.is === 'taken'
      return answer
    }
    for (let pauseMs = retryMs; ; pauseMs = Math.min(pauseMs * 2, retryMsMax)) {
      const leftMs = endMs - runtime.monotonicMs()
      if (leftMs <= 0) return false
      const answer = await again.within(ask(leftMs), null)
      if (isTaken !== null) return isTaken
      await runtime.sleep(Math.min(pauseMs, leftMs))
      await map.refreshed(answer?.mapVersion).catch(() => undefined)
    }
  }
  const underWay = new FewAtOnce(atOnceMax)
  const limited = (mailbox: string): Promise<boolean> =>
    limit.within(untilHeard(mailbox), false).catch(() => false)
  return {
    announce: (mailbox) => {
      if (isServedHere(mailbox) && !teller.isWatched(mailbox)) return NOBODY
      return underWay.run(mailbox, () => limited(mailbox))
    },
    stop: () => {
      for (const each of [limit, again]) each.end()
    },
  }
}

const NOBODY = Promise.resolve(false)
