import type { Membership } from '../../ports/membership.ts'
import type { NodeLink } from '../../ports/node-link.ts'
import type { ChangeableMap } from '../../ports/shard-map.ts'
import type { HandOffTalk } from './keeper-parts.ts'
import { decode, encode } from '../json-bytes.ts'
import { memberOf } from './own-places.ts'

const IS_AWAITED = 'map.is-awaited'
/** One that lives answers within milliseconds, but for one that is very busy, or has to read the map first. */
const ANSWER_MS = 1_000

type Question = { readonly shard: number; readonly version: number }

type Parts = {
  readonly node: string
  readonly link: Pick<NodeLink, 'handle' | 'request'>
  readonly map: Pick<ChangeableMap, 'current' | 'refreshed'>
  readonly membership: Pick<Membership, 'session'>
}

/**
 * Both sides of the question whether the next owner of a shard is there: a node may be frozen for ten seconds before it
 * is known to be dead, and what is let go for it stands still for as long. Called before the link is started.
 */
export const askNextOwners = ({ node, link, map, membership }: Parts): HandOffTalk['isAwaited'] => {
  const isAwaitedHere = async ({ shard, version }: Question): Promise<boolean> => {
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
