import { type DestinationStream, destination, pino } from 'pino'
import { type LogEvent, logEvents } from './events.ts'
import { type LogFields, safeFields } from './fields.ts'

export type Level = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export type Log = {
  (event: LogEvent, fields?: LogFields): void
  /** Everything written so far reaches the destination before this returns. */
  flush(): void
}

export type LogOptions = { readonly level: Level; readonly destination?: DestinationStream }

const FLUSH_EVERY_MS = 500
const BUFFER_BYTES = 8_192

/** JSON lines on stdout, written in blocks, because one system call per request would cost more than the request. */
export const createLog = (options: LogOptions): Log & Disposable => {
  const own = options.destination === undefined ? bufferedStdout() : null
  const target = options.destination ?? own?.stream
  const logger = pino(
    {
      level: options.level,
      base: null,
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    target as DestinationStream,
  )
  const write = (event: LogEvent, fields: LogFields = {}): void => {
    logger[logEvents[event].level](safeFields(fields), event)
  }
  return Object.assign(write, {
    flush: () => own?.flush(),
    [Symbol.dispose]: () => own?.[Symbol.dispose](),
  })
}

export const silentLog: Log = Object.assign(() => undefined, { flush: () => undefined })

const bufferedStdout = () => {
  const stream = destination({ dest: 1, sync: false, minLength: BUFFER_BYTES })
  // A reader that went away (a closed pipe) must not end the service.
  stream.on('error', () => undefined)
  const flush = (): void => {
    try {
      stream.flushSync()
    } catch {
      // Not opened yet, or closed already: there is nothing that could be lost.
    }
  }
  const timer = setInterval(() => stream.flush(), FLUSH_EVERY_MS)
  timer.unref()
  return {
    stream,
    flush,
    [Symbol.dispose]: () => {
      clearInterval(timer)
      flush()
    },
  }
}
