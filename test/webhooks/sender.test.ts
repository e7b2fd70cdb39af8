import { type AddressInfo, createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { Outbound } from '../../src/egress/outbound.ts'
import { SignedSender } from '../../src/webhooks/sender.ts'
import { isGenuine, startReceiver } from './receiver.ts'

const opened: Disposable[] = []
afterEach(() => {
  for (const each of opened.splice(0)) each[Symbol.dispose]()
})
const sender = (allowPrivateTargets = true): SignedSender => {
  const outbound = new Outbound({ allowPrivateTargets, socketsPerHostMax: 16 })
  opened.push(outbound)
  return new SignedSender(outbound, () => Date.now())
}
const never = new AbortController().signal
const post = (url: string) => ({
  url,
  body: '{"id":"evt_1"}',
  secrets: ['svc_whsec_a', 'svc_whsec_b'],
  eventId: 'evt_1',
  eventType: 'webhook.test',
  attempt: 3,
})

describe('the sender of webhooks', () => {
  it('posts JSON whose signature npm stripe takes for genuine, with either secret', async () => {
    await using receiver = await startReceiver()
    expect(await sender().send(post(receiver.url), never)).toMatchObject({ status: 200, error: null })
    const [arrived] = receiver.arrived
    expect(arrived).toMatchObject({ body: '{"id":"evt_1"}', headers: { 'content-type': 'application/json' } })
    if (arrived === undefined) throw new Error('nothing arrived')
    expect(isGenuine(arrived, 'svc_whsec_a')).toBe(true)
    expect(isGenuine(arrived, 'svc_whsec_b')).toBe(true)
    expect(isGenuine(arrived, 'svc_whsec_c')).toBe(false)
  })

  it('names event, type and attempt in headers', async () => {
    await using receiver = await startReceiver()
    await sender().send(post(receiver.url), never)
    expect(receiver.arrived[0]?.headers).toMatchObject({
      'x-svc-event-id': 'evt_1',
      'x-svc-event-type': 'webhook.test',
      'x-svc-delivery-attempt': '3',
    })
  })

  it('hands over the first 1,024 bytes of the answer, and no part of a character', async () => {
    await using receiver = await startReceiver(
      (_arrived, response) => void response.end(`x${'ü'.repeat(600)}`),
    )
    expect((await sender().send(post(receiver.url), never)).answer).toBe(`x${'ü'.repeat(511)}`)
    receiver.behaviour.answer = (_arrived, response) => void response.end('ok')
    expect((await sender().send(post(receiver.url), never)).answer).toBe('ok')
  })

  it.each([
    [500, 'the receiver answered 500'],
    [302, 'the receiver answered 302; redirects are not followed'],
  ])('calls an answer %i a failure', async (status, error) => {
    await using receiver = await startReceiver((_arrived, response) => {
      response.writeHead(status, { Location: '/elsewhere' }).end('personal words')
    })
    expect(await sender().send(post(receiver.url), never)).toMatchObject({ status, error })
    expect(receiver.arrived).toHaveLength(1)
  })

  it('calls a receiver that is not there a failure, and says why', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const answer = await sender().send(post(`http://127.0.0.1:${port}/`), never)
    expect(answer).toMatchObject({ status: null, error: 'the connection failed (ECONNREFUSED)' })
  })

  it('calls no private address, and nothing but https, unless development allows it', async () => {
    const strict = sender(false)
    expect((await strict.send(post('https://127.0.0.1/'), never)).error).toMatch(/not a public/)
    expect((await strict.send(post('http://receiver.example/'), never)).error).toMatch(/https/)
  })

  it('does not take its own stop for a failure of the receiver', async () => {
    const stop = new AbortController()
    await using receiver = await startReceiver(() => stop.abort())
    await expect(sender().send(post(receiver.url), stop.signal)).rejects.toThrow(/given up/)
  })
})
