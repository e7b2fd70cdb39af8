import { expect, it } from 'vitest'
import { createMetrics } from '../../src/telemetry/metrics.ts'

it('the metrics are those that the manual names, with labels that the code knows', async () => {
  const metrics = createMetrics()
  metrics.requests.answered('/v1/health', 200, 0.002)
  metrics.partUp.set({ part: 'journal' }, 1)
  const text = await metrics.registry.metrics()
  expect(text).toContain('vouchsafe_http_requests_total{route="/v1/health",status="200"} 1')
  expect(text).toContain('vouchsafe_http_request_seconds_bucket{le="0.0025",route="/v1/health"} 1')
  expect(text).toContain('vouchsafe_part_up{part="journal"} 1')
  expect(text).toContain('vouchsafe_http_requests_in_flight 0')
  expect(text).toContain('vouchsafe_process_resident_memory_bytes')
})
