import { AnonCredsService } from '../anoncreds/anoncreds.ts'
import { engineTelemetry } from '../anoncreds/engine-observer.ts'
import { createEngineMetrics } from '../telemetry/metrics.ts'
import type { ServiceContext } from './service-context.ts'

type Context = Pick<ServiceContext, 'config' | 'log' | 'metrics' | 'lifecycle'> & {
  readonly binaries?: readonly string[]
}

/** The signature engines as they are configured, with metrics and log lines. */
export const openSignatures = async ({
  config,
  log,
  metrics,
  lifecycle,
  binaries,
}: Context): Promise<AnonCredsService> => {
  const settings = { ...config.anoncreds, ...(binaries && { binaries }) }
  const observer = engineTelemetry(createEngineMetrics(metrics.registry), log)
  const anoncreds = lifecycle.use('anoncreds', new AnonCredsService(settings, observer))
  await anoncreds.start()
  return anoncreds
}
