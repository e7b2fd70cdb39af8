import { SHARD_COUNT } from '../../src/domain/references.ts'
import { nodeName } from '../../tools/cluster/settings.ts'
import { type ModuleProcess, startProcess } from '../../tools/harness/module-process.ts'
import { untilFound } from '../../tools/harness/waiting.ts'
import type { BenchmarkContext } from '../harness/benchmark.ts'
import { median, percentile } from '../harness/statistics.ts'
import type { LocalCluster } from './local-cluster.ts'

type Askers = ModuleProcess<typeof import('../load/shard-askers.ts')>

/** The second and the third node in turn: orders are given at the first. */
const DRAINED = [3, 2]
const CALM_MS = 5_000
const BEHIND_MS = 1_000
const LIMIT_MS = 180_000
const LOOK_EVERY_MS = 100
const NODES = [1, 2, 3]

export type AskersLoad = { readonly everyMs: number; readonly writeEveryMs: number }

/** Callers of all shards: of each a connection that is there, where chance has made one. */
export const startAskers = async (
  { open }: Pick<BenchmarkContext<unknown>, 'open'>,
  { url, key, trust }: LocalCluster,
  connections: readonly string[],
  load: AskersLoad,
): Promise<Askers> => {
  const file = new URL('../load/shard-askers.ts', import.meta.url)
  const askers: Askers = await open(
    startProcess<typeof import('../load/shard-askers.ts')>(file, { env: trust }),
  )
  const there = new Map(connections.map((id) => [id.slice(4, 6), id]))
  const targets = Array.from({ length: SHARD_COUNT }, (_, shard) => {
    const digits = shard.toString(16).padStart(2, '0')
    return { shard, path: `/v1/connections/${there.get(digits) ?? `con_${digits}00000000`}` }
  })
  await askers.call('start', { url, key, targets, ...load })
  return askers
}

/** Under a steady load of asks for all shards a node is drained and takes part again, a node after the other. */
export const measureMoves = async (
  { progress }: Pick<BenchmarkContext<unknown>, 'progress'>,
  cluster: LocalCluster,
  askers: Askers,
  drains: number,
) => {
  // A node that a busy machine kept from renewing its lease has come back empty, and nothing could move away from it.
  await cluster.settled(NODES)
  await passed(CALM_MS)
  await askers.call('take')
  await passed(CALM_MS)
  const calm = (await askers.call('take')).value.waits.map(([, ms]) => ms)
  const pauses: number[] = []
  const drainsS: number[] = []
  let again = 0
  const moved = async (): Promise<void> => {
    const before = await ownersOf(cluster)
    await passed(BEHIND_MS)
    const taken = (await askers.call('take')).value
    again += taken.again
    const last = owners
    owners = before
    for (const [shard, ms] of taken.waits) if (last.get(shard) !== before.get(shard)) pauses.push(ms)
  }
  let owners = await ownersOf(cluster)
  await askers.call('take')
  for (let drain = 0; drain < drains; drain++) {
    const number = DRAINED[drain % DRAINED.length] ?? 3
    const node = nodeName({ number })
    progress(`${node} is drained`)
    const startedMs = performance.now()
    await cluster.order('shards drain', { node })
    await untilEmpty(cluster, node)
    drainsS.push((performance.now() - startedMs) / 1_000)
    await moved()
    progress(`${node} takes part again`)
    await cluster.order('shards take-part', { node })
    await cluster.settled(NODES)
    await moved()
  }
  return {
    move_pause_p99_ms: percentile(pauses, 99),
    move_pause_p50_ms: median(pauses),
    move_pause_max_ms: Math.max(...pauses),
    moves: pauses.length,
    move_answers_that_came_again: again,
    calm_wait_p99_ms: percentile(calm, 99),
    drain_s: median(drainsS),
  }
}

/** A node is killed; the others have taken over when each shard of it has served a request that began behind the kill. */
export const measureTakeover = async (
  cluster: LocalCluster,
  askers: Askers,
  number: number,
  killed: (atMs: number) => Promise<void>,
): Promise<{ takeoverS: number; shards: number }> => {
  const node = nodeName({ number })
  const lost = [...(await ownersOf(cluster))].flatMap(([shard, owner]) => (owner === node ? [shard] : []))
  process.kill(cluster.pid(number), 'SIGKILL')
  const killedMs = Date.now()
  await askers.call('mark', killedMs)
  const behind = killed(killedMs)
  const look = async () => {
    const served = new Map((await askers.call('servedSinceMark')).value)
    return lost.every((shard) => served.has(shard)) ? served : null
  }
  const otherwise = (): Error => new Error(`not every shard of ${node} is served again`)
  const served = await untilFound(look, { limitMs: LIMIT_MS, everyMs: LOOK_EVERY_MS, otherwise })
  await behind
  await cluster.cluster.kill(number)
  return {
    takeoverS: Math.max(...lost.map((shard) => (served.get(shard) ?? killedMs) - killedMs)) / 1_000,
    shards: lost.length,
  }
}

const ownersOf = async (cluster: LocalCluster): Promise<ReadonlyMap<number, string | null>> =>
  new Map((await cluster.shards()).map(({ number, owner }) => [number, owner]))

const untilEmpty = (cluster: LocalCluster, node: string): Promise<true> => {
  const look = async (): Promise<boolean> =>
    (await cluster.nodes()).some(({ id, shards }) => id === node && shards === 0)
  const otherwise = (): Error => new Error(`${node} does not become empty`)
  return untilFound(look, { limitMs: LIMIT_MS, everyMs: LOOK_EVERY_MS, otherwise })
}

const passed = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
