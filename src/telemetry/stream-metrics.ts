import { Counter, type Registry } from 'prom-client'
import type { Log } from './logger.ts'

/** Of an event what may stand in a log line. */
type Unreadable = { readonly type: string; readonly tenant: string; readonly recordId: string }

/** Counts the events that a stream of events went on without, and writes a line for each. */
export const streamTelemetry = (
  registry: Registry,
  log: Log,
): ((event: Unreadable, error: unknown) => void) => {
  const leftOut = new Counter({
    name: 'vouchsafe_stream_events_left_out_total',
    help: 'Events that could not be read and that a stream of events went on without, once for each stream.',
    registers: [registry],
  })
  return ({ type, tenant, recordId }, error) => {
    leftOut.inc()
    log('events.left_out', { kind: type, tenantId: tenant, actor: recordId, error })
  }
}
