import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { RequestMetrics } from '../../src/telemetry/request-metrics.ts'

describe('what is scraped of the requests', () => {
  const registry = new Registry()
  const requests = new RequestMetrics(registry)

  it('counts by route and status, and the same at every scrape', async () => {
    requests.answered('/v1/a', 200, 0.0004)
    requests.answered('/v1/a', 200, 0.0005)
    requests.answered('/v1/a', 404, 11)
    requests.answered('/v1/b', 202, 0.003)
    requests.inFlight = 3
    await registry.metrics()
    const text = await registry.metrics()
    expect(text).toContain('vouchsafe_http_requests_total{route="/v1/a",status="200"} 2')
    expect(text).toContain('vouchsafe_http_requests_total{route="/v1/a",status="404"} 1')
    expect(text).toContain('vouchsafe_http_requests_total{route="/v1/b",status="202"} 1')
    expect(text).toContain('vouchsafe_http_requests_in_flight 3')
  })

  it('shows times as a histogram whose buckets hold those before them', async () => {
    const lines = (await registry.metrics()).split('\n').filter((line) => line.includes('request_seconds'))
    expect(lines).toContain('# TYPE vouchsafe_http_request_seconds histogram')
    const of = (name: string) =>
      lines.find((line) => line.startsWith(`vouchsafe_http_request_seconds_${name}`))
    expect(of('bucket{le="0.0005",route="/v1/a"}')).toMatch(/ 2$/)
    expect(of('bucket{le="10",route="/v1/a"}')).toMatch(/ 2$/)
    expect(of('bucket{le="+Inf",route="/v1/a"}')).toMatch(/ 3$/)
    expect(of('count{route="/v1/a"}')).toMatch(/ 3$/)
    expect(Number(of('sum{route="/v1/a"}')?.split(' ')[1])).toBeCloseTo(11.0009)
    expect(of('bucket{le="0.0025",route="/v1/b"}')).toMatch(/ 0$/)
    expect(of('bucket{le="0.005",route="/v1/b"}')).toMatch(/ 1$/)
  })
})
