import { once } from 'node:events'
import { connect } from 'node:net'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAuthority } from '../../../../tools/infra/certificates.ts'
import { serveOrders, ordersAt } from '../../../../tools/vendors/wire/orders.ts'
import {
  type EverydayOrders,
  type Listening,
  startSimulator,
} from '../../../../tools/vendors/wire/simulator.ts'
import { VendorClock } from '../../../../tools/vendors/wire/vendor-clock.ts'

const CONTENT = { 'content-type': 'application/json' }

const startEcho = async (listening: Listening = {}) => {
  const simulator = await startSimulator(
    {
      callOf: ({ method }) => ({ account: null, operation: method }),
      handle: ({ path, query, headers, body }) => ({
        reply: {
          status: 200,
          headers: CONTENT,
          body: JSON.stringify({ path, query, headers, bytes: body.length }),
        },
      }),
      throttled: () => ({ status: 429, headers: {}, body: '' }),
      broken: () => ({ status: 500, headers: {}, body: '' }),
    },
    { clock: new VendorClock(), orders: {}, listening },
  )
  onTestFinished(() => simulator.stop())
  return simulator
}

describe('a simulator', () => {
  it('sees a request as it was sent', async () => {
    const { url } = await startEcho()
    const response = await fetch(`${url}/a%20b?x=1&y=%20?`, { method: 'POST', body: 'hello' })
    expect(await response.json()).toMatchObject({ path: '/a%20b', query: 'x=1&y=%20?', bytes: 5 })
  })

  it('tells the time that its clock shows', async () => {
    const { url, controlUrl } = await startEcho()
    await ordersAt<EverydayOrders>(controlUrl).setClock(3_600_000)
    const aheadMs = Date.parse((await fetch(url)).headers.get('date') ?? '') - Date.now()
    expect(aheadMs).toBeGreaterThan(3_598_000)
    expect(aheadMs).toBeLessThan(3_602_000)
  })

  it('takes two images of 5 MB in base64, and no more than 16 MB', async () => {
    const { url } = await startEcho()
    const post = (bytes: number) => fetch(url, { method: 'POST', body: Buffer.alloc(bytes) })
    expect((await post(16 * 1_024 * 1_024)).status).toBe(200)
    const refused = await post(16 * 1_024 * 1_024 + 1).then(
      ({ status }) => status,
      () => 'ended',
    )
    expect([413, 'ended']).toContain(refused)
  })

  it('speaks TLS with a certificate that it is given', async () => {
    const authority = createAuthority('Vendors')
    const { url } = await startEcho({ tls: authority.issue('localhost', ['127.0.0.1']) })
    const asked = request(`${url}/secret`, { ca: authority.certificate }).end()
    const [response] = (await once(asked, 'response')) as [NodeJS.ReadableStream]
    expect(url).toMatch(/^https:/)
    expect(JSON.parse(await text(response))).toMatchObject({ path: '/secret' })
  })

  it('outlives a caller who hangs up in the middle of a request', async () => {
    const { url } = await startEcho()
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf')
    socket.destroy()
    expect((await fetch(url)).status).toBe(200)
  })

  it('ends while somebody still waits for an answer', async () => {
    const { url, controlUrl, stop } = await startEcho()
    const orders = ordersAt<EverydayOrders>(controlUrl)
    await orders.trouble({ kind: 'silent' })
    const waiting = fetch(url).catch(() => 'ended')
    await expect.poll(() => orders.heard()).toHaveLength(1)
    await stop()
    expect(await waiting).toBe('ended')
  })
})

describe('the orders of a simulator', () => {
  const start = async () => {
    const orders = {
      add: (one: number, other: number): number => one + other,
      nothing: (): void => undefined,
      fail: (): void => {
        throw new Error('not today')
      },
    }
    const served = await serveOrders(orders)
    onTestFinished(() => served.stop())
    return { url: served.url, orders: ordersAt<typeof orders>(served.url) }
  }

  it('are carried out and answered', async () => {
    const { orders } = await start()
    expect(await orders.add(1, 2)).toBe(3)
    expect(await orders.nothing()).toBeNull()
  })

  it('say why they were not', async () => {
    const { orders } = await start()
    await expect(orders.fail()).rejects.toThrow('not today')
  })

  it.each(['/toString', '/unknown', '/'])('are not %s', async (path) => {
    const { url } = await start()
    const response = await fetch(`${url}${path}`, { method: 'POST', headers: CONTENT, body: '{"input":[]}' })
    expect(response.status).toBe(404)
  })
})
