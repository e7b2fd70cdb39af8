import { type DestinationStream, pino } from 'pino'
import { accessLine, timeStamp } from './access-line.ts'
import { type LogEvent, logEvents } from './events.ts'
import { type LogFields, safeFields } from './fields.ts'
import { LineBuffer } from './line-buffer.ts'

export type Level = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export type Log = {
  (event: LogEvent, fields?: LogFields): void
  /** Writes everything logged so far to the destination before it returns. */
  flush(): void
}

export type LogOptions = { readonly level: Level; readonly destination?: DestinationStream }

/** JSON lines on stdout: an event of the closed list with fields of the closed list, and nothing else. */
export const createLog = (options: LogOptions): Log & Disposable => {
  const own = options.destination === undefined ? new LineBuffer(process.stdout.fd, lostLine) : null
  const target = own ?? (options.destination as DestinationStream)
  const logger = pino(
    {
      level: options.level,
      base: null,
      messageKey: 'event',
      timestamp: () => `,"time":"${timeStamp()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    target,
  )
  const logsRequests = logger.isLevelEnabled(logEvents['http.request'].level)
  const write = (event: LogEvent, fields: LogFields = {}): void => {
    if (event !== 'http.request') logger[logEvents[event].level](safeFields(fields), event)
    else if (logsRequests) target.write(accessLine(fields))
  }
  return Object.assign(write, {
    flush: () => own?.flush(),
    [Symbol.dispose]: () => own?.[Symbol.dispose](),
  })
}

const lostLine = (count: number): string =>
  `{"level":"${logEvents['log.dropped'].level}","time":"${timeStamp()}","event":"log.dropped","count":${count}}\n`
