import { newNonce } from '../../src/actors/ids.ts'
import type { ServiceContext } from '../../src/compose/service-context.ts'
import { loadConfig } from '../../src/config/config.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { Lifecycle } from '../../src/lifecycle.ts'
import { silentLog } from '../../src/telemetry/logger.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'

/** What the service is opened with, on a folder of the test. */
export const contextOn = (
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): ServiceContext => ({
  config: loadConfig({ VOUCHSAFE_DATA_FOLDER: folder, ...environment }),
  log: silentLog,
  metrics: createMetrics(),
  lifecycle: new Lifecycle(),
  runtime: createRuntime(),
  newNonce,
})
