import type { Log } from '../src/telemetry/logger.ts'

export const silentLog: Log = Object.assign(() => undefined, { flush: () => undefined })
