import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { reservePorts } from '../src/ledger/sandbox/reserved-ports.ts'
import { existingLayout, type Wanted } from '../tools/cluster/layout.ts'
import { startProcess } from '../tools/harness/module-process.ts'
import { untilFound } from '../tools/harness/waiting.ts'
import { type BenchmarkContext, defineBenchmark } from './harness/benchmark.ts'
import type { OptionValues } from './harness/options.ts'
import { measureIssuances } from './subjects/cluster-issuance.ts'
import { fillLists } from './subjects/cluster-lists.ts'
import { measureMoves, measureTakeover, startAskers } from './subjects/cluster-moves.ts'
import { type ClusterStage, openClusterStage } from './subjects/cluster-stage.ts'
import { measureRemoteAsks } from './subjects/remote-asks.ts'

const options = {
  exchanges: { type: 'number', default: 256, quick: 16, about: 'issuances of a round' },
  rounds: { type: 'number', default: 5, quick: 2, about: 'rounds of issuances, of which the median counts' },
  warm_ups: { type: 'number', default: 4, quick: 1, about: 'rounds of issuances that do not count' },
  at_once: { type: 'number', default: 128, about: 'issuances under way at a time' },
  idle_seconds: {
    type: 'number',
    default: 10,
    quick: 2,
    about: 'in which nodes that do nothing are watched',
  },
  wave: { type: 'number', default: 64, quick: 16, about: 'answers of wallets that arrive together' },
  drains: {
    type: 'number',
    default: 4,
    quick: 1,
    about: 'times that a node is drained and takes part again',
  },
  ask_every_ms: { type: 'number', default: 400, about: 'between two asks for the same shard' },
  kills: { type: 'number', default: 3, quick: 1, about: 'times that a node is killed' },
  profile: {
    type: 'string',
    default: '',
    about:
      'folder for processor profiles of all threads of all nodes; the run ends behind the issuances then',
  },
  records: {
    type: 'number',
    default: 1_000_000,
    quick: 10_000,
    about: 'records of one organisation in the lists',
  },
} as const

type Context = BenchmarkContext<OptionValues<typeof options>>
type ListPages = typeof import('./load/list-pages.ts')

const NODES = [1, 2, 3]
const WRITE_EVERY_MS = 50
const PAGES = 101
const PAGES_UNDER_LOAD = 21
/** A list that waits for a shard without an owner takes 200 ms more than one that does not. */
const AT_ONCE_MS = 150
/** On a machine that is busy with other things a page is no later than this many of those before. */
const TIMES_AS_BEFORE = 3
const RECOVERY_LIMIT_MS = 120_000
const RESTED_MS = 5_000

/** A rate would only end the load. A busy machine has slower stores than any cluster, which is not what is measured. */
const more = {
  VOUCHSAFE_API_KEY_REQUESTS_PER_MINUTE: '1000000',
  VOUCHSAFE_SESSION_REQUESTS_PER_MINUTE: '1000000',
  VOUCHSAFE_CASSANDRA_REQUEST_TIMEOUT_MS: '30000',
  VOUCHSAFE_VAULT_TIMEOUT_MS: '30000',
  VOUCHSAFE_PROBE_TIMEOUT_MS: '30000',
}

export const benchmark = defineBenchmark({
  about:
    'Three nodes on real Cassandra and Kafka: moves, takeovers, lists, and processor time beside one node',
  options,
  bars: {
    move_pause_p99_ms: { atMost: 1_000 },
    takeover_s: { atMost: 15 },
    remote_ask_cpu_us: { atMost: 120 },
    cluster_cpu_ratio: { atMost: 1.35 },
    first_page_ms: { atMost: 20 },
    list_recovery_s: { atMost: 15 },
  },
  async run(context) {
    const { open, options: given, progress, quick, note } = context
    // Opened first, so that it is removed when nothing runs in it any more.
    const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-bench-'))
    await open({ [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }) })
    progress('an ask of another node')
    const asked = await measureRemoteAsks(
      { open },
      { rounds: quick ? 2 : 7, seconds: quick ? 0.2 : 2, askers: 16, bytes: 1_024 },
    )
    const { three, one } = await openBoth(context, folder)
    const { exchanges, rounds, warm_ups: warmUps, idle_seconds: idleSeconds } = given
    const issued = await measureIssuances({ progress }, three, one, {
      exchanges,
      rounds,
      warmUps,
      idleSeconds,
    })
    progress(JSON.stringify(issued))
    await one.cluster[Symbol.asyncDispose]()
    if (given.profile !== '') return { ...issued }
    const moved = await moves(context, three)
    progress(JSON.stringify(moved))
    const listed = await lists(context, three)
    note('cluster_cpu_ratio: processor time of the nodes for an issuance, over three nodes and over one;')
    note('Cassandra, Kafka, proxy, ledger, wallets and tenant are other processes. over_idle: less what idle')
    note(
      'nodes take. move_pause: the longest that a request for each moved shard waited, on its way out and back.',
    )
    return {
      remote_ask_cpu_us: asked.ask.overUs,
      remote_read_cpu_us: asked.read.overUs,
      own_ask_cpu_us: asked.ask.ownUs,
      ...issued,
      ...moved,
      ...listed,
    }
  },
})

const profiled = (folder: string): string => `--cpu-prof --cpu-prof-dir=${resolve(folder)}`

const openBoth = async (context: Context, folder: string) => {
  const { open, progress, options: given } = context
  const crowd = { atOnce: given.at_once, wave: given.wave }
  const wanted = async (nodes: number, name: string, engines: Wanted['engines']): Promise<Wanted> => ({
    nodes,
    port: await reservePorts(1),
    engines,
    name,
    more: given.profile === '' ? more : { ...more, NODE_OPTIONS: profiled(join(given.profile, name)) },
  })
  progress('Cassandra, Kafka and three nodes start')
  const home = join(folder, 'three')
  const ofThree = await wanted(NODES.length, 'bench_three', { are: 'own', cassandraNodes: 1 })
  const three = await openClusterStage({ open }, home, ofThree, crowd)
  const { engines } = existingLayout(home)
  if (engines.are !== 'own') throw new Error('the cluster has no stores of its own')
  const attached = {
    are: 'attached',
    contactPoints: [`127.0.0.1:${engines.cqlPort}`],
    brokers: [`127.0.0.1:${engines.kafkaPort}`],
  } as const
  progress('one node starts on the same stores')
  const ofOne = await wanted(1, 'bench_one', attached)
  const one = await openClusterStage({ open }, join(folder, 'one'), ofOne, crowd)
  return { three, one }
}

const moves = async (context: Context, { cluster, flows }: ClusterStage) => {
  const { open, options: given, progress } = context
  const askers = await startAskers({ open }, cluster, await flows.connect(given.exchanges), {
    everyMs: given.ask_every_ms,
    writeEveryMs: WRITE_EVERY_MS,
  })
  const measured = await measureMoves({ progress }, cluster, askers, given.drains)
  await askers.call('stop')
  return measured
}

/** First pages with many records, then what a node's loss costs lists and asks. */
const lists = async (context: Context, { cluster, flows }: ClusterStage) => {
  const { open, options: given, progress } = context
  progress(`${given.records} records come into the lists`)
  await fillLists(cluster, NODES, given.records)
  await cluster.settled(NODES)
  const file = new URL('./load/list-pages.ts', import.meta.url)
  const caller = await open(startProcess<ListPages>(file, { env: cluster.trust }))
  await caller.call('know', '/v1/connections', cluster.key)
  const [first, second, third] = NODES.map(cluster.nodeUrl)
  await caller.call(
    'recovered',
    [first, second, third].map(String),
    await total(caller, cluster.url),
    5_000,
    RECOVERY_LIMIT_MS,
  )
  const pages = (await caller.call('pages', cluster.url, PAGES)).value
  const all = await total(caller, cluster.url)
  if (all < given.records) throw new Error(`the lists have ${all} records`)
  const askers = await startAskers({ open }, cluster, await flows.connect(NODES.length), {
    everyMs: given.ask_every_ms,
    writeEveryMs: WRITE_EVERY_MS,
  })
  const taken: { takeoverS: number; recoveryS: number }[] = []
  for (let kill = 0; kill < given.kills; kill++) {
    const number = kill % 2 === 0 ? 3 : 2
    await pause(RESTED_MS)
    progress(`node ${number} is killed`)
    const left = NODES.filter((each) => each !== number).map(cluster.nodeUrl)
    const expected = await total(caller, cluster.url)
    const usualMs = (await caller.call('pages', cluster.url, PAGES_UNDER_LOAD)).value.p50Ms
    const atOnceMs = Math.max(AT_ONCE_MS, TIMES_AS_BEFORE * usualMs)
    let recoveryS = Number.NaN
    const { takeoverS } = await measureTakeover(cluster, askers, number, async (killedMs) => {
      const atMs = (await caller.call('recovered', left, expected, atOnceMs, RECOVERY_LIMIT_MS)).value
      recoveryS = (atMs - killedMs) / 1_000
    })
    taken.push({ takeoverS, recoveryS })
    if (kill + 1 === given.kills) break
    await cluster.startNode(number)
    await cluster.settled(NODES)
  }
  await askers.call('stop')
  return {
    first_page_ms: pages.p50Ms,
    first_page_p99_ms: pages.p99Ms,
    list_records: all,
    takeover_s: Math.max(...taken.map(({ takeoverS }) => takeoverS)),
    list_recovery_s: Math.max(...taken.map(({ recoveryS }) => recoveryS)),
  }
}

const total = async (
  caller: Awaited<ReturnType<typeof startProcess<ListPages>>>,
  url: string,
): Promise<number> => {
  const look = async (): Promise<number | null> => (await caller.call('page', url)).value.total
  const otherwise = (): Error => new Error(`${url} does not answer with a list`)
  return untilFound(look, { limitMs: RECOVERY_LIMIT_MS, everyMs: 250, otherwise })
}
