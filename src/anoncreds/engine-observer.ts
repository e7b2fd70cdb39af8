import type { EngineMetrics } from '../telemetry/metrics.ts'
import type { Log } from '../telemetry/logger.ts'
import type { EngineName } from './engine.ts'
import type { NativeStatus } from './native-binary.ts'

export type Operation = 'issue' | 'verify' | 'define'

/** `waitedSeconds`: the part of it before a thread took the work on; null where none did, and for key generation. */
type Took = { readonly seconds: number; readonly waitedSeconds: number | null }

/** Hears what the engines did. */
export interface EngineObserver {
  done(operation: Operation, engine: EngineName, result: 'ok' | 'refused' | 'failed', took: Took): void
  /** Called once for each cause for which the library answers instead of the service's own engine. */
  fellBack(cause: string): void
  /** The engines contradict each other; the answer was a refusal. */
  disagreed(operation: Operation): void
  status(status: NativeStatus): void
  /** How many definitions wait for their keys, and whether some are being made now. */
  generating(waiting: number, isRunning: boolean): void
}

export const silentObserver: EngineObserver = {
  done: () => undefined,
  fellBack: () => undefined,
  disagreed: () => undefined,
  status: () => undefined,
  generating: () => undefined,
}

/** Counts the operations of the engines, and logs what an operator should know. */
export const engineTelemetry = (metrics: EngineMetrics, log: Log): EngineObserver => ({
  done(operation, engine, result, { seconds, waitedSeconds }) {
    metrics.operations.inc({ operation, engine, result })
    metrics.seconds.observe({ operation, engine }, seconds)
    if (waitedSeconds === null) return
    metrics.waitSeconds.observe({ operation }, waitedSeconds)
    metrics.serviceSeconds.observe({ operation, engine }, seconds - waitedSeconds)
  },
  fellBack(cause) {
    log('anoncreds.engine_fallback', { code: cause })
  },
  disagreed(operation) {
    metrics.disagreements.inc({ operation })
    log('anoncreds.engines_disagree', { kind: operation })
  },
  status({ definitions, definitionBytes }) {
    metrics.definitions.set(definitions)
    metrics.tableBytes.set(definitionBytes)
  },
  generating(waiting, isRunning) {
    metrics.keysWaiting.set(waiting)
    metrics.keysSince.set(isRunning ? Math.floor(Date.now() / 1_000) : 0)
  },
})
