import type { EngineMetrics } from '../telemetry/engine-metrics.ts'
import type { Log } from '../telemetry/logger.ts'
import type { EngineObserver } from './observer.ts'

/** What the engines do, as metrics; what somebody should read, as a log line. */
export const engineTelemetry = (metrics: EngineMetrics, log: Log): EngineObserver => ({
  done(operation, engine, result, seconds) {
    metrics.operations.inc({ operation, engine, result })
    metrics.seconds.observe({ operation, engine }, seconds)
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
})
