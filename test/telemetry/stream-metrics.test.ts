import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { streamTelemetry } from '../../src/telemetry/metrics.ts'
import { record } from '../contract/stream/stream-suite.ts'
import { writtenLog } from './written-log.ts'

it('an event that no stream can tell is counted and has a line without anything of what is in it', async () => {
  const registry = new Registry()
  const { log, logged } = writtenLog()
  const { event } = record('ten_a', 2)
  const error = new Error('the key store is damaged')
  streamTelemetry(registry, log)(event, error)
  expect(await registry.metrics()).toContain('vouchsafe_stream_events_left_out_total 1')
  expect(logged).toEqual([
    ['events.left_out', { kind: 'credential.state_changed', tenantId: 'ten_a', actor: 'cre_ten_a', error }],
  ])
})
