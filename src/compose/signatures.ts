import { AnonCredsService } from '../anoncreds/anoncreds.ts'
import { engineTelemetry } from '../anoncreds/engine-observer.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { PartContext } from '../parts.ts'
import { createEngineMetrics } from '../telemetry/metrics.ts'

type Context = Pick<PartContext, 'config' | 'log' | 'metrics'> & { readonly binaries?: readonly string[] }

/** The signature engines as they are configured, with metrics, log lines and an end of their own. */
export const openSignatures = async (
  { config, log, metrics, binaries }: Context,
  lifecycle: Lifecycle,
): Promise<AnonCredsService> => {
  const settings = { ...config.anoncreds, ...(binaries && { binaries }) }
  const observer = engineTelemetry(createEngineMetrics(metrics.registry), log)
  const anoncreds = new AnonCredsService(settings, observer)
  lifecycle.add('anoncreds', () => anoncreds[Symbol.asyncDispose]())
  await anoncreds.start()
  return anoncreds
}
