import { Gauge, Registry, collectDefaultMetrics } from 'prom-client'
import { RequestMetrics } from './request-metrics.ts'

/** Labels are names that the code knows (routes, states, parts), never ids or anything a caller wrote. */
export type Metrics = {
  readonly registry: Registry
  readonly requests: RequestMetrics
  readonly partUp: Gauge<'part'>
}

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'vouchsafe_' })
  return {
    registry,
    requests: new RequestMetrics(registry),
    partUp: new Gauge({
      name: 'vouchsafe_part_up',
      help: '1 while a part answers its probe, else 0.',
      labelNames: ['part'],
      registers: [registry],
    }),
  }
}
