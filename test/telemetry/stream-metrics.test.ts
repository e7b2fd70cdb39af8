import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import type { LogFields } from '../../src/telemetry/fields.ts'
import type { Log } from '../../src/telemetry/logger.ts'
import { streamTelemetry } from '../../src/telemetry/metrics.ts'
import { record } from '../contract/stream/stream-suite.ts'

it('an event that no stream can tell is counted and has a line without anything of what is in it', async () => {
  const registry = new Registry()
  const lines: (readonly [string, LogFields])[] = []
  const log: Log = Object.assign((name: string, fields: LogFields = {}) => void lines.push([name, fields]), {
    flush: () => undefined,
  })
  const { event } = record('ten_a', 2)
  const error = new Error('the key store is damaged')
  streamTelemetry(registry, log)(event, error)
  expect(await registry.metrics()).toContain('vouchsafe_stream_events_left_out_total 1')
  expect(lines).toEqual([
    ['events.left_out', { kind: 'credential.state_changed', tenantId: 'ten_a', actor: 'cre_ten_a', error }],
  ])
})
