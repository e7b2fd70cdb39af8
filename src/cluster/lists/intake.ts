import type { Applied, WantedChanges } from '../../ports/list-replicas.ts'
import type { Held } from './held.ts'
import { packed, type Messages, type Service } from './messages.ts'
import type { Context } from './ports.ts'
import type { Whole } from './whole.ts'

/** A request to another node. */
export const askNode = <Name extends Service>(
  { ports, settings }: Context,
  node: string,
  service: Name,
  request: Messages[Name],
  timeoutMs: number = settings.requestTimeoutMs,
): Promise<Uint8Array> => ports.link.request(node, service, packed(request), { timeoutMs })

/** What takes part in taking over rows. */
export type IntakeParts = Context & { readonly held: Held; readonly whole: Whole }

/** Writes what another node has sent; of shards of `read` that has read the log, it is everything. Where histories have parted, goes back to where they were one, or begins anew. */
export const takeIn = async (
  context: IntakeParts,
  node: string,
  changes: Uint8Array,
  read: readonly number[] = [],
): Promise<readonly Applied[]> => {
  const { held, ports, whole } = context
  if (changes.length === 0) return []
  const applied = await ports.file.apply(changes)
  for (const each of applied) {
    if (each.outcome === 'all' && read.includes(each.shard)) held.set(each)
    else held.move(each)
    if (each.outcome === 'anew') held.move({ ...(await ports.file.fillAnew(each)), isFilling: true })
    if (each.outcome === 'back')
      held.move({ isFilling: each.isFilling, ...(await goBack(context, node, each)) })
    // Rows that there are no more are in it until it is filled.
    if (each.outcome !== 'ignored' && held.at(each.shard) === 0) whole.unset(each.shard)
  }
  return applied
}

const goBack = async (
  context: Context,
  node: string,
  { shard, rev, to }: Applied,
): Promise<WantedChanges> => {
  const { file } = context.ports
  const keys = await file.inQuestion({ shard, rev, to })
  if (keys === null) return { ...(await file.fillAnew({ shard, rev })), isFilling: true }
  const bytes = await askNode(context, node, 'lists.rows', { shard, keys })
  return file.settle({ shard, rev, to, keys, bytes })
}

/** Takes over what a node has of these shards, whoever owns them. Rejects when the node does not answer. */
export const takeAllFrom = async (
  context: IntakeParts,
  node: string,
  shards: readonly number[],
): Promise<void> => {
  let wanted = shards
  while (wanted.length > 0) {
    const { held, settings } = context
    const request = { wanted: wanted.map((shard) => held.wanted(shard)) }
    const answer = await askNode(context, node, 'lists.fill', request, settings.peerMs)
    const applied = await takeIn(context, node, answer)
    // What was ignored came too late for the place at which the file stands by now, and there may be more.
    const isUnfinished = ({ shard, outcome, newest }: Applied): boolean =>
      outcome === 'ignored' ? newest > held.at(shard) : outcome !== 'all'
    const unfinished = new Set(applied.filter(isUnfinished).map(({ shard }) => shard))
    // Of an answer that was cut, shards that it does not mention come with the next one.
    const last = applied.at(-1)?.shard ?? Number.MAX_SAFE_INTEGER
    wanted = wanted.filter((shard) => unfinished.has(shard) || (applied.length > 0 && shard > last))
  }
}
