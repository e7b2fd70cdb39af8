import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Bucket edges around the time of one signature or verification: from half a millisecond to key generation. */
const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export type EngineMetrics = {
  readonly operations: Counter<'operation' | 'engine' | 'result'>
  readonly seconds: Histogram<'operation' | 'engine'>
  readonly disagreements: Counter<'operation'>
  readonly definitions: Gauge
  readonly tableBytes: Gauge
}

export const createEngineMetrics = (registry: Registry): EngineMetrics => {
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
  }
}
