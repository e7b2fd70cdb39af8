import { describe, expect, it } from 'vitest'
import type { HttpServer } from '../src/http/server/server.ts'
import { Lifecycle } from '../src/lifecycle.ts'
import { stopInOrder } from '../src/shutdown.ts'
import type { Log } from '../src/telemetry/logger.ts'

const trial = (drained: Promise<void>, finished: Promise<void> = Promise.resolve()) => {
  const order: string[] = []
  const log: Log = Object.assign((event: string) => void order.push(event), {
    flush: () => void order.push('flush'),
  })
  const server: HttpServer = {
    engine: 'node',
    socketCounts: null,
    port: 1,
    stopAccepting: () => void order.push('stop accepting'),
    drained: () => drained,
    [Symbol.asyncDispose]: async () => undefined,
  }
  const lifecycle = new Lifecycle()
  lifecycle.add('journal', async () => void order.push('journal'))
  const door = { finished: () => finished }
  const config = { shutdownDelayMs: 1, drainTimeoutMs: 50 }
  return { order, stoppable: { config, server, door, lifecycle, log } }
}

describe('an orderly stop', () => {
  it('stops accepting, then parts, then flushes', async () => {
    const { order, stoppable } = trial(Promise.resolve())
    expect(await stopInOrder(stoppable)).toBe(true)
    expect(order).toEqual(['service.stopping', 'stop accepting', 'journal', 'service.stopped', 'flush'])
  })

  it('does not stop a part that a running request may still need', async () => {
    const never = new Promise<void>(() => undefined)
    for (const each of [trial(never), trial(Promise.resolve(), never)]) {
      expect(await stopInOrder(each.stoppable)).toBe(false)
      expect(each.order).toEqual(['service.stopping', 'stop accepting', 'service.stop_timeout', 'flush'])
    }
  })
})
