import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type LocalApi,
  type PrivateServer,
  startPrivateServer,
} from '../../../src/http/server/private-server.ts'
import { limits } from '../../../src/domain/limits.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'

/** Echoes how the request came. */
const api: LocalApi = {
  accepts: (authorization) => authorization === 'Bearer right',
  door: {
    accept: ({ path, isLocal }) => ({
      bodyBytesMax: limits.bodyBytesMax,
      mayStream: false,
      strangerFrom: null,
      tenant: null,
      isLarge: false,
      turnAway: () => null,
      respond: (body) => ({ status: 200, headers: {}, body: `${path} ${isLocal} ${body.byteLength}` }),
      refuse: (refusal) => ({ status: 413, headers: {}, body: refusal, close: true }),
      aborted: () => undefined,
    }),
  },
}

describe('the private port', () => {
  let ready = true
  let detail: readonly string[] = []
  let serving: LocalApi | null = api
  let server: PrivateServer
  beforeAll(async () => {
    server = await startPrivateServer({
      host: '127.0.0.1',
      port: 0,
      metrics: createMetrics(),
      ready: () => ready,
      detail: () => detail,
      api: () => serving,
    })
  })
  afterAll(() => server[Symbol.asyncDispose]())
  const ask = async (path: string, { method = 'GET', token = '', body = '' } = {}) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method,
      headers: token === '' ? {} : { Authorization: `Bearer ${token}` },
      ...(body !== '' && { body }),
    })
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

  it('says beside that how parts are on which this does not depend', async () => {
    detail = ['ledger: unreachable']
    ready = true
    expect(await ask('/ready')).toEqual([200, 'ready\nledger: unreachable\n'])
    detail = []
  })

  it('shows the metrics', async () => {
    const [status, text] = await ask('/metrics')
    expect([status, text.includes('vouchsafe_process_cpu_seconds_total')]).toEqual([200, true])
    expect((await ask('/metrics', { method: 'POST' }))[0]).toBe(405)
  })

  it('has everything else for the token of this start alone', async () => {
    expect(await ask('/x', { token: 'right' })).toEqual([200, '/x true 0'])
    const [status, text] = await ask('/x')
    expect([status, text]).toEqual([401, expect.stringContaining('/live, /ready and /metrics') as unknown])
    for (const token of ['wrong', 'righ', 'right ight'])
      expect(await ask('/x', { method: 'POST', token, body: 'b'.repeat(100_000) })).toEqual([
        401,
        expect.stringContaining('not the one of this start') as unknown,
      ])
  })

  it('takes no body beyond the limit, from whomever it is', async () => {
    const body = 'b'.repeat(limits.bodyBytesMax + 1)
    for (const token of ['right', 'wrong', ''])
      expect((await ask('/x', { method: 'POST', token, body }))[0]).toBe(413)
  })

  it('asks to come again while the service starts or stops', async () => {
    serving = null
    const [status, text] = await ask('/x', { token: 'right' })
    expect([status, text]).toEqual([503, expect.stringContaining('"unavailable"') as unknown])
    serving = api
  })

  it('says so when the port is taken', async () => {
    const { port } = server
    const settings = { host: '127.0.0.1', port, metrics: createMetrics(), ready: () => true, api: () => null }
    await expect(startPrivateServer(settings)).rejects.toThrow(
      `the private port: cannot listen on 127.0.0.1:${port}`,
    )
  })
})
