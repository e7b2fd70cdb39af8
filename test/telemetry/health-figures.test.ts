import { Gauge } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { figureDocs, readFigures } from '../../src/telemetry/health-figures.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'

describe('the figures of a node', () => {
  it('are read from its metrics, added up over what these tell apart', async () => {
    const metrics = createMetrics()
    for (let count = 0; count < 98; count++) metrics.requests.answered('/v1/health', 200, 0.002)
    metrics.requests.answered('/v1/health', 503, 0.002)
    metrics.requests.answered('/v1/credentials', 429, 0.4)
    const parked = new Gauge({
      name: 'vouchsafe_records_parked',
      help: 'parked',
      labelNames: ['part'],
      registers: [metrics.registry],
    })
    parked.set({ part: 'lists' }, 1)
    parked.set({ part: 'events' }, 2)
    const figures = await readFigures(metrics.registry)
    expect(figures).toMatchObject({
      requestsInFlight: 0,
      requestsAnswered: 100,
      serverErrors: 1,
      rateLimited: 1,
      requestSecondsMedian: 0.0025,
      requestSecondsP99: 0.0025,
      recordsParked: 3,
    })
    expect(figures['residentMemoryBytes']).toBeGreaterThan(1_000_000)
    expect(figures['processorSeconds']).toBeGreaterThan(0)
    expect(figures['eventLoopDelaySeconds']).toBeGreaterThanOrEqual(0)
    expect(Object.keys(figures)).toEqual(Object.keys(figureDocs))
  })

  it('are null where a process has none of it, and bounded by the last edge', async () => {
    const metrics = createMetrics()
    expect(await readFigures(metrics.registry)).toMatchObject({
      requestsAnswered: 0,
      requestSecondsP99: null,
      asksWaiting: null,
    })
    metrics.requests.answered('/v1/health', 200, 60)
    expect(await readFigures(metrics.registry)).toMatchObject({ requestSecondsP99: 10 })
  })
})
