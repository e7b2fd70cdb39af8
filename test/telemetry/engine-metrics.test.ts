import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { createEngineMetrics } from '../../src/telemetry/metrics.ts'

describe('the metrics of the signature engines', () => {
  it('are registered where they are asked for', async () => {
    const registry = new Registry()
    const metrics = createEngineMetrics(registry)
    metrics.seconds.observe({ operation: 'verify', engine: 'library' }, 0.07)
    expect(await registry.metrics()).toContain(
      'vouchsafe_crypto_operation_seconds_bucket{le="0.1",operation="verify",engine="library"} 1',
    )
  })
})
