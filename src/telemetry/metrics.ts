import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { showEventLoopLag } from './event-loop-lag.ts'
import type { Log } from './logger.ts'
import { RequestMetrics } from './request-metrics.ts'

const PREFIX = 'vouchsafe_'
/** The looks of the library cannot be switched off. */
const NEVER_MS = 2 ** 31 - 1
/** What the library would show of them. */
const LAGS = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99']

/** Metrics whose labels come from the code (routes, states, parts), and are never ids or texts of a caller. */
export type Metrics = ReturnType<typeof createMetrics>

export const createMetrics = () => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: PREFIX, eventLoopMonitoringPrecision: NEVER_MS })
  for (const each of LAGS) registry.removeSingleMetric(`${PREFIX}nodejs_eventloop_lag_${each}_seconds`)
  showEventLoopLag(registry, PREFIX)
  return {
    registry,
    requests: new RequestMetrics(registry),
    partUp: new Gauge({
      name: 'vouchsafe_part_up',
      help: '1 while a part answers its probe, else 0.',
      labelNames: ['part'],
      registers: [registry],
    }),
  }
}

export type ActorStatus = {
  readonly shards: number
  readonly residents: number
  readonly waiting: number
  readonly timersLoaded: number
}

export const countActorFaults = ({ registry }: Metrics): Counter =>
  new Counter({
    name: 'vouchsafe_actors_faults_total',
    help: 'Failures of actors by what they were doing.',
    labelNames: ['part'],
    registers: [registry],
  })

/** The gauges are read when the metrics are scraped, so counting costs the actors nothing. */
export const showActorStatus = ({ registry }: Metrics, status: () => ActorStatus): void => {
  const registers = [registry]
  const gauge = (name: string, help: string, read: (status: ActorStatus) => number): Gauge =>
    new Gauge({
      name: `vouchsafe_actors_${name}`,
      help,
      registers,
      collect() {
        this.set(read(status()))
      },
    })
  gauge('shards', 'Shards that are served here.', ({ shards }) => shards)
  gauge('resident', 'Actors in memory.', ({ residents }) => residents)
  gauge('commands_waiting', 'Commands that were admitted and are not answered yet.', ({ waiting }) => waiting)
  gauge('timers_loaded', 'Timers in memory because they are due soon.', ({ timersLoaded }) => timersLoaded)
}

type LedgerStatus = { readonly isReachable: boolean; readonly refreshedMs: number | null }

/** Read when the metrics are scraped. */
export const showLedgerStatus = ({ registry }: Metrics, status: () => LedgerStatus): void => {
  const registers = [registry]
  const gauge = (name: string, help: string, read: (status: LedgerStatus) => number): Gauge =>
    new Gauge({
      name: `vouchsafe_ledger_${name}`,
      help,
      registers,
      collect() {
        this.set(read(status()))
      },
    })
  gauge(
    'reachable',
    '1 while enough nodes of the ledger answer, else 0; this alone makes no health degraded.',
    ({ isReachable }) => (isReachable ? 1 : 0),
  )
  gauge(
    'refreshed_seconds',
    'When the nodes of the ledger were asked for last, and answered, in Unix seconds; 0: never yet.',
    ({ refreshedMs }) => Math.floor((refreshedMs ?? 0) / 1_000),
  )
}

/** Read when the metrics are scraped. */
export const createParkedMetric = <Part extends string>(
  { registry }: Metrics,
  parts: readonly Part[],
  count: (part: Part) => number,
): Gauge =>
  new Gauge({
    name: 'vouchsafe_records_parked',
    help: 'Records of the shards served here that lists, events or webhooks go on without: alarm on any.',
    labelNames: ['part'],
    registers: [registry],
    collect() {
      for (const part of parts) this.set({ part }, count(part))
    },
  })

/** Bucket edges around the time of one signature or verification: from half a millisecond to key generation. */
const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export type EngineMetrics = ReturnType<typeof createEngineMetrics>

export const createEngineMetrics = (registry: Registry) => {
  const registers = [registry]
  return {
    operations: new Counter({
      name: 'vouchsafe_crypto_operations_total',
      help: 'Signatures, verifications and generated keys by engine and result.',
      labelNames: ['operation', 'engine', 'result'],
      registers,
    }),
    seconds: new Histogram({
      name: 'vouchsafe_crypto_operation_seconds',
      help: 'Time of a signature, a verification or a key generation, waiting included.',
      labelNames: ['operation', 'engine'],
      buckets: SECONDS_BUCKETS,
      registers,
    }),
    waitSeconds: new Histogram({
      name: 'vouchsafe_crypto_wait_seconds',
      help: 'Time that a signature or a verification waited for a thread.',
      labelNames: ['operation'],
      buckets: SECONDS_BUCKETS,
      registers,
    }),
    serviceSeconds: new Histogram({
      name: 'vouchsafe_crypto_service_seconds',
      help: 'Time of a signature or a verification once a thread had it.',
      labelNames: ['operation', 'engine'],
      buckets: SECONDS_BUCKETS,
      registers,
    }),
    disagreements: new Counter({
      name: 'vouchsafe_crypto_disagreements_total',
      help: 'Operations refused because the two engines contradicted each other: alarm on any.',
      labelNames: ['operation'],
      registers,
    }),
    definitions: new Gauge({
      name: 'vouchsafe_crypto_definitions_loaded',
      help: 'Credential definitions that the engine holds in memory.',
      registers,
    }),
    tableBytes: new Gauge({
      name: 'vouchsafe_crypto_table_bytes',
      help: 'Memory of the tables of these definitions.',
      registers,
    }),
    keysWaiting: new Gauge({
      name: 'vouchsafe_crypto_keys_waiting',
      help: 'Credential definitions that wait until their keys are made.',
      registers,
    }),
    keysSince: new Gauge({
      name: 'vouchsafe_crypto_keys_since_seconds',
      help: 'Since when the keys are made that are being made now, in Unix seconds; 0 while none are.',
      registers,
    }),
  }
}

/** The fields of an event that may stand in a log line. */
type Unreadable = { readonly type: string; readonly tenant: string; readonly recordId: string }

/** Counts the events that a stream of events had to leave out, and writes a log line for each. */
export const streamTelemetry = (
  registry: Registry,
  log: Log,
): ((event: Unreadable, error: unknown) => void) => {
  const leftOut = new Counter({
    name: 'vouchsafe_stream_events_left_out_total',
    help: 'Events that could not be read and that a stream of events went on without, once for each stream.',
    registers: [registry],
  })
  return ({ type, tenant, recordId }, error) => {
    leftOut.inc()
    log('events.left_out', { kind: type, tenantId: tenant, actor: recordId, error })
  }
}
