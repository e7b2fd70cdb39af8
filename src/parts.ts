import type { Config } from './config/config.ts'
import type { Log } from './telemetry/logger.ts'
import type { Metrics } from './telemetry/metrics.ts'
import type { Probed } from './telemetry/probes.ts'

/** Something with a life of its own that the service needs; its probe feeds health and readiness. */
export type Part = Probed & AsyncDisposable

export type PartContext = { readonly config: Config; readonly log: Log; readonly metrics: Metrics }

export type OpenPart = (context: PartContext) => Promise<Part>
