import type { BenchmarkContext } from '../harness/benchmark.ts'
import { interleave } from '../harness/rounds.ts'
import type { ClusterStage } from './cluster-stage.ts'
import type { Counts } from './local-cluster.ts'

export type IssuanceLoad = {
  readonly exchanges: number
  readonly rounds: number
  /** Rounds of one node before those that count; each of three nodes sees a third, so three have three times as many. */
  readonly warmUps: number
  readonly idleSeconds: number
}

/** Complete issuances over three nodes and over one, in turn; both on the same Cassandra and Kafka. */
export const measureIssuances = async (
  { progress }: Pick<BenchmarkContext<unknown>, 'progress'>,
  three: ClusterStage,
  one: ClusterStage,
  { exchanges, rounds, warmUps, idleSeconds }: IssuanceLoad,
) => {
  progress(`${exchanges} wallets connect to either`)
  const connections = [await three.flows.connect(exchanges), await one.flows.connect(exchanges)] as const
  const warmUpsOfThree = warmUps * 2
  for (let round = 1; round <= warmUpsOfThree; round++) {
    progress(`three nodes warm up: ${round} of ${warmUpsOfThree}`)
    await three.flows.issue(connections[0])
  }
  const idle = { three: await three.idleMsPerS(idleSeconds), one: await one.idleMsPerS(idleSeconds) }
  const { stores } = three.cluster
  const contestant = (stage: ClusterStage, own: readonly string[], idleMsPerS: number) => async () => {
    const mainBeforeMs = stage.cluster.mainThreadCpuMs()
    const before = { cassandra: stores.cpuMs('cassandra'), kafka: stores.cpuMs('kafka') }
    const { cpuMs, wallMs, spanMs } = await stage.measured(() => stage.flows.issue(own))
    return {
      cassandra_ms: (stores.cpuMs('cassandra') - before.cassandra) / exchanges,
      kafka_ms: (stores.cpuMs('kafka') - before.kafka) / exchanges,
      cpu_ms: cpuMs / exchanges,
      main_thread_ms: (stage.cluster.mainThreadCpuMs() - mainBeforeMs) / exchanges,
      over_idle_ms: (cpuMs - (idleMsPerS * spanMs) / 1_000) / exchanges,
      per_s: exchanges / (wallMs / 1_000),
    }
  }
  const before = await crossedBy(three)
  const outcome = await interleave({
    rounds,
    warmups: warmUps,
    progress,
    contestants: {
      three: contestant(three, connections[0], idle.three),
      one: contestant(one, connections[1], idle.one),
    },
  })
  const after = await crossedBy(three)
  const issued = exchanges * (rounds + warmUps)
  const sum = (name: keyof typeof after): number =>
    grown(before[name], after[name]).reduce((all, count) => all + count, 0) / issued
  await three.flows.checkWebhooks()
  await one.flows.checkWebhooks()
  return {
    cluster_cpu_ratio: outcome.ratio('three', 'one', 'cpu_ms'),
    cluster_cpu_over_idle_ratio: outcome.ratio('three', 'one', 'over_idle_ms'),
    cluster_cpu_ms: outcome.median('three', 'cpu_ms'),
    one_node_cpu_ms: outcome.median('one', 'cpu_ms'),
    cluster_main_thread_ms: outcome.median('three', 'main_thread_ms'),
    one_node_main_thread_ms: outcome.median('one', 'main_thread_ms'),
    cluster_over_idle_cpu_ms: outcome.median('three', 'over_idle_ms'),
    one_node_over_idle_cpu_ms: outcome.median('one', 'over_idle_ms'),
    cluster_idle_cpu_ms_per_s: idle.three,
    one_node_idle_cpu_ms_per_s: idle.one,
    cluster_issuances_per_s: outcome.median('three', 'per_s'),
    one_node_issuances_per_s: outcome.median('one', 'per_s'),
    hops_per_issuance: sum('hops'),
    events_per_issuance: sum('events'),
    // All webhooks of an endpoint live on one shard.
    busiest_shard_events_per_issuance: Math.max(...grown(before.events, after.events)) / issued,
    kafka_bytes_per_issuance: sum('kafkaBytes'),
    cassandra_cpu_ms: outcome.median('three', 'cassandra_ms'),
    kafka_cpu_ms: outcome.median('three', 'kafka_ms'),
  }
}

/** What the nodes have counted so far. */
const crossedBy = async ({ cluster }: ClusterStage) => ({
  hops: await cluster.counts('vouchsafe_asks_hops_total'),
  events: await cluster.counts('vouchsafe_shard_events_total'),
  kafkaBytes: new Map([['', cluster.stores.topicBytes('bench_three')]]),
})

/** A shard that moved meanwhile began to count anew. */
const grown = (before: Counts, after: Counts): readonly number[] =>
  [...after].map(([labels, count]) => {
    const was = before.get(labels) ?? 0
    return was > count ? count : count - was
  })
