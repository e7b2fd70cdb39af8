import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from './config/config.ts'
import type { OpenDoor } from './http/front-door/front-door.ts'
import type { HttpServer } from './http/server/server.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Log } from './telemetry/logger.ts'

export type Stoppable = {
  readonly config: Pick<Config['operations'], 'shutdownDelayMs' | 'drainTimeoutMs'>
  readonly server: HttpServer
  readonly door: Pick<OpenDoor, 'finished'>
  readonly lifecycle: Lifecycle
  readonly log: Log
}

/** Readiness is off already. True when everything was finished and flushed, false when the limit passed first. */
export const stopInOrder = async ({ config, server, door, lifecycle, log }: Stoppable): Promise<boolean> => {
  log('service.stopping')
  await wait(config.shutdownDelayMs)
  const deadline = new AbortController()
  const late = wait(config.drainTimeoutMs, 'late' as const, { signal: deadline.signal, ref: true })
  const orderly = drain({ server, door, lifecycle, log })
  const first = await Promise.race([orderly, late])
  deadline.abort()
  late.catch(() => undefined)
  if (first === 'late') log('service.stop_timeout')
  log.flush()
  return first === 'stopped'
}

const drain = async ({ server, door, lifecycle, log }: Omit<Stoppable, 'config'>): Promise<'stopped'> => {
  server.stopAccepting()
  await server.drained()
  // A handler whose caller left goes on, and needs the parts.
  await door.finished()
  await lifecycle.end((part, error) => log('part.stop_failed', { part, error }))
  log('service.stopped')
  return 'stopped'
}
