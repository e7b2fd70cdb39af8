import type { LogFields } from '../../src/telemetry/fields.ts'
import type { Log } from '../../src/telemetry/logger.ts'

/** A log whose lines can be looked at. */
export const writtenLog = () => {
  const logged: [event: string, fields: LogFields][] = []
  const write = (event: string, fields: LogFields = {}) => void logged.push([event, fields])
  const log: Log = Object.assign(write, { flush: () => undefined })
  return { log, logged }
}
