import { Counter, Gauge } from 'prom-client'
import type { Metrics } from './metrics.ts'

// All of these are read when the metrics are scraped, so counting costs nobody anything in between.

export type ShardMapStatus = {
  readonly version: number
  readonly frozen: boolean
  /** Shards that have another owner than they are to have, on all nodes. */
  readonly moving: number
  readonly isDraining: boolean
  /** Shards that this node has begun to serve, and has stopped serving. */
  readonly came: number
  readonly went: number
}

/** The map of shards as this node has it. */
export const showShardMap = (metrics: Metrics, status: () => ShardMapStatus): void => {
  const gauge = gaugesOf(metrics, 'vouchsafe_shard', status)
  gauge('map_version', 'The version of the map of shards that this node knows.', ({ version }) => version)
  gauge('map_frozen', '1 while operators have the map frozen, else 0.', ({ frozen }) => Number(frozen))
  gauge(
    'map_moving',
    'Shards of all nodes that have another owner than they are to have.',
    ({ moving }) => moving,
  )
  gauge('map_draining', '1 while this node is to be empty or stops, else 0.', (now) => Number(now.isDraining))
  showMoves(metrics, status)
}

const showMoves = ({ registry }: Metrics, status: () => ShardMapStatus): Counter =>
  new Counter({
    name: 'vouchsafe_shard_moves_total',
    help: 'Shards that this node has begun to serve (in) and has stopped serving (out).',
    labelNames: ['direction'],
    registers: [registry],
    collect() {
      const { came, went } = status()
      this.reset()
      this.inc({ direction: 'in' }, came)
      this.inc({ direction: 'out' }, went)
    },
  })

export type ShardActivity = {
  readonly shard: number
  readonly asks: number
  readonly events: number
  readonly batches: number
  readonly loads: number
}

/** What each shard has done since this node opened it; a shard that is not served here has no line. */
export const showShardActivity = ({ registry }: Metrics, activity: () => readonly ShardActivity[]): void => {
  const counter = (name: string, help: string, read: (each: ShardActivity) => number): Counter =>
    new Counter({
      name: `vouchsafe_shard_${name}_total`,
      help,
      labelNames: ['shard'],
      registers: [registry],
      collect() {
        this.reset()
        for (const each of activity()) this.inc({ shard: String(each.shard) }, read(each))
      },
    })
  counter('asks', 'Commands and reads of a shard since it was opened here.', ({ asks }) => asks)
  counter('events', 'Events of a shard that were committed since it was opened here.', ({ events }) => events)
  counter('batches', 'Durable batches that these events were committed in.', ({ batches }) => batches)
  counter('loads', 'Records that were read from the journal, to be in memory.', ({ loads }) => loads)
}

/** Of the asks that the actors of this node did not answer at once; sums are since the start. */
export type AskTraffic = {
  readonly hops: number
  readonly answeredForOthers: number
  readonly retries: number
  readonly waits: number
  readonly waitedMs: number
  readonly longestWaitMs: number
  readonly overloaded: number
  readonly waitingNow: number
  readonly inFlightNow: number
}

/** What crosses between nodes, and what waits for shards that move. */
export const showAskTraffic = (metrics: Metrics, traffic: () => AskTraffic): void => {
  const prefix = 'vouchsafe_asks'
  const counter = countersOf(metrics, prefix, traffic)
  const gauge = gaugesOf(metrics, prefix, traffic)
  counter('hops', 'Requests to other nodes, repetitions included.', ({ hops }) => hops)
  counter('answered_for_others', 'Requests of other nodes.', (now) => now.answeredForOthers)
  counter(
    'retries',
    'Tries that ended without an outcome: a wrong owner, a lost connection.',
    (now) => now.retries,
  )
  counter('waits', 'Asks that waited until a node served their shard.', ({ waits }) => waits)
  counter('waited_seconds', 'How long these waited together.', ({ waitedMs }) => waitedMs / 1_000)
  counter('overloaded', 'Asks refused because too much waited.', ({ overloaded }) => overloaded)
  gauge('longest_wait_seconds', 'The longest wait that ended lately.', (now) => now.longestWaitMs / 1_000)
  gauge('waiting', 'Asks that wait until a node serves their shard.', ({ waitingNow }) => waitingNow)
  gauge('in_flight', 'Requests to other nodes that are not answered yet.', ({ inFlightNow }) => inFlightNow)
}

export const gaugesOf =
  <Status>({ registry }: Metrics, prefix: string, status: () => Status) =>
  (name: string, help: string, read: (status: Status) => number): Gauge =>
    new Gauge({
      name: `${prefix}_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read(status()))
      },
    })

export const countersOf =
  <Status>({ registry }: Metrics, prefix: string, status: () => Status) =>
  (name: string, help: string, read: (status: Status) => number): Counter =>
    new Counter({
      name: `${prefix}_${name}_total`,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(read(status()))
      },
    })
