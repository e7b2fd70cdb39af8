import { setTimeout } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { showEventLoopLag } from '../../src/telemetry/event-loop-lag.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'

const shown = async (registry: Registry): Promise<(name: string) => number> => {
  const metrics = await registry.getMetricsAsJSON()
  return (name) =>
    metrics.find((each) => each.name === `test_nodejs_eventloop_lag_${name}_seconds`)?.values[0]?.value ??
    Number.NaN
}

it('what holds the process up is seen as lag, and the time between two looks is none', async () => {
  const registry = new Registry()
  showEventLoopLag(registry, 'test_')
  await setTimeout(250)
  const untilMs = performance.now() + 600
  while (performance.now() < untilMs);
  await setTimeout(250)
  const lag = await shown(registry)
  expect(lag('max')).toBeGreaterThan(0.3)
  expect(lag('max')).toBeLessThan(10)
  expect(lag('p99')).toBeGreaterThan(0.3)
})

it('each measure of the lag is shown once', async () => {
  const names = (await createMetrics().registry.getMetricsAsJSON()).map(({ name }) => name)
  const lags = names.filter((name) => name.includes('eventloop_lag'))
  expect(lags.toSorted()).toEqual([
    'vouchsafe_nodejs_eventloop_lag_max_seconds',
    'vouchsafe_nodejs_eventloop_lag_p50_seconds',
    'vouchsafe_nodejs_eventloop_lag_p99_seconds',
    'vouchsafe_nodejs_eventloop_lag_seconds',
  ])
})
