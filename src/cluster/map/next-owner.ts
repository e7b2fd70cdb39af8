import type { Membership } from '../../ports/membership.ts'
import type { NodeLink } from '../../ports/node-link.ts'
import type { ChangeableMap } from '../../ports/shard-map.ts'
import type { HeldUp } from './held-up.ts'
import type { HandOffTalk } from './keeper-parts.ts'
import { decode, encode } from '../json-bytes.ts'
import { memberOf } from './own-places.ts'

const IS_AWAITED = 'map.is-awaited'
/** One that lives answers within milliseconds, but for one that is very busy, or has to read the map first. */
const ANSWER_MS = 1_000
/** A node that gets so little done would not open what it is given; it is asked again and again. */
const HELD_UP_MS_MAX = 20_000

type Question = { readonly shard: number; readonly version: number }

type Parts = {
  readonly node: string
  readonly link: Pick<NodeLink, 'handle' | 'request'>
  readonly map: Pick<ChangeableMap, 'current' | 'refreshed'>
  readonly membership: Pick<Membership, 'session'>
  /** For how long nothing has come of what is this node's own to do. */
  readonly heldUp: () => HeldUp
}

/**
 * Both sides of the question whether the next owner of a shard is there: a node may be frozen for ten seconds before it
 * is known to be dead, and what is let go for it stands still for as long. Called before the link is started.
 */
export const askNextOwners = (parts: Parts): HandOffTalk['isAwaited'] => {
  const { node, link, map, membership, heldUp } = parts
  const isAwaitedHere = async ({ shard, version }: Question): Promise<boolean> => {
    const { handOffMs, mapMs } = heldUp()
    if (Math.max(handOffMs, mapMs) > HELD_UP_MS_MAX) return false
    const now = await map.refreshed(version)
    if (membership.session()?.valid() !== true || memberOf(now, node)?.state === 'leaving') return false
    return now.places[shard]?.desired === node
  }
  link.handle(IS_AWAITED, async (body) => encode(await isAwaitedHere(decode(body) as Question)))
  return async (shard, by) => {
    const question: Question = { shard, version: map.current().version }
    const answered = link.request(by, IS_AWAITED, encode(question), { timeoutMs: ANSWER_MS })
    return answered.then(
      (answer) => decode(answer) === true,
      () => false,
    )
  }
}
