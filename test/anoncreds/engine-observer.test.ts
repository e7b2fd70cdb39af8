import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { engineTelemetry } from '../../src/anoncreds/engine-observer.ts'
import { createEngineMetrics } from '../../src/telemetry/metrics.ts'
import type { Log } from '../../src/telemetry/logger.ts'

describe('the telemetry of the engines', () => {
  const registry = new Registry()
  const lines: string[] = []
  const log: Log = Object.assign((event: string) => void lines.push(event), { flush: () => undefined })
  const telemetry = engineTelemetry(createEngineMetrics(registry), log)

  it('counts operations by engine and result', async () => {
    telemetry.done('issue', 'native', 'ok', { seconds: 0.003, waitedSeconds: null })
    expect(await registry.metrics()).toContain(
      'vouchsafe_crypto_operations_total{operation="issue",engine="native",result="ok"} 1',
    )
  })

  it('keeps waiting and work apart', async () => {
    telemetry.done('verify', 'native', 'ok', { seconds: 0.5, waitedSeconds: 0.375 })
    const text = await registry.metrics()
    expect(text).toContain('vouchsafe_crypto_wait_seconds_sum{operation="verify"} 0.375')
    expect(text).toContain('vouchsafe_crypto_service_seconds_sum{operation="verify",engine="native"} 0.125')
    expect(text).not.toContain('vouchsafe_crypto_wait_seconds_sum{operation="issue"}')
  })

  it('counts and logs a disagreement', async () => {
    telemetry.disagreed('verify')
    expect(await registry.metrics()).toContain('vouchsafe_crypto_disagreements_total{operation="verify"} 1')
    expect(lines).toContain('anoncreds.engines_disagree')
  })

  it('logs that the library stands in', () => {
    telemetry.fellBack('not-loaded')
    expect(lines).toContain('anoncreds.engine_fallback')
  })

  it('shows the memory of the tables', async () => {
    telemetry.status({
      version: '0',
      arithmetic: 'x',
      definitions: 3,
      definitionBytes: 4_096,
      capacityBytes: 1,
    })
    expect(await registry.metrics()).toContain('vouchsafe_crypto_table_bytes 4096')
  })
})
