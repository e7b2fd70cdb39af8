import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { type PrivateServer, startPrivateServer } from '../../src/telemetry/private-server.ts'

describe('the private port', () => {
  let ready = true
  let server: PrivateServer
  beforeAll(async () => {
    server = await startPrivateServer({
      host: '127.0.0.1',
      port: 0,
      metrics: createMetrics(),
      ready: () => ready,
    })
  })
  afterAll(() => server[Symbol.asyncDispose]())
  const ask = async (path: string, method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method })
    return [response.status, await response.text()] as const
  }

  it('says that the process lives', async () => {
    expect(await ask('/live')).toEqual([200, 'live\n'])
  })

  it('says whether it wants traffic', async () => {
    expect(await ask('/ready')).toEqual([200, 'ready\n'])
    ready = false
    expect(await ask('/ready')).toEqual([503, 'not ready\n'])
  })

  it('shows the metrics', async () => {
    const [status, text] = await ask('/metrics')
    expect([status, text.includes('vouchsafe_process_cpu_seconds_total')]).toEqual([200, true])
  })

  it('has nothing else', async () => {
    expect((await ask('/'))[0]).toBe(404)
    expect((await ask('/metrics', 'POST'))[0]).toBe(405)
  })

  it('says so when the port is taken', async () => {
    const again = startPrivateServer({
      host: '127.0.0.1',
      port: server.port,
      metrics: createMetrics(),
      ready: () => true,
    })
    await expect(again).rejects.toThrow(`cannot listen on 127.0.0.1:${server.port} for metrics`)
  })
})
