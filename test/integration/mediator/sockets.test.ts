import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyPair, ed25519KeyOf } from '../../../src/didcomm/keys.ts'
import { startReceiver } from '../../../tools/flows/webhook-receiver.ts'
import { forwardTo, HandMadeWallet, type Json } from '../../actors/mailbox/hand-made-wallet.ts'
import { type RunningService, runningService } from '../../e2e/running-service.ts'
import { PhoneSocket } from './phone-socket.ts'

const ENVELOPE = { 'Content-Type': 'application/didcomm-envelope-enc' }
const PING = 'trust_ping/1.0/ping'
const LIVE = 'messagepickup/2.0/live-delivery-change'
const RECEIVED = 'messagepickup/2.0/messages-received'

describe.each(['uws', 'node'])('the mediator on sockets (%s)', (engine) => {
  let service: RunningService
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    service = await runningService({ VOUCHSAFE_HTTP_ENGINE: engine })
    receiver = await startReceiver(() => undefined)
    const { secret } = await service.order('webhook set', { tenant: service.tenant, url: receiver.url })
    receiver.useSecret(String(secret))
  })
  afterAll(async () => {
    await service?.app.stop()
    receiver?.close()
  })

  const post = (address: string, body: string) => fetch(address, { method: 'POST', headers: ENVELOPE, body })

  /** A phone that has connected over HTTP, with one key. */
  const phoneWithKey = async () => {
    const made = await fetch(`${service.app.url}/v1/wallets`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service.apiKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
      },
      body: '{}',
    })
    const { id, walletToken } = (await made.json()) as Json
    const path = '/v1/wallet/mediator-invitation'
    const { json } = await service.send('GET', path, undefined, String(walletToken))
    const phone = new HandMadeWallet(async (address, envelope) => {
      const answer = await post(address, envelope)
      return answer.status === 200 ? answer.text() : null
    })
    await phone.connect(String(json['invitationUrl']))
    const grant = await phone.say('coordinate-mediation/1.0/mediate-request')
    const [routing = ''] = (grant?.['routing_keys'] ?? []) as string[]
    const key = createKeyPair()
    await phone.keylistUpdate([key])
    const send = async (text = 'hello'): Promise<string> => {
      const { envelope, forward } = forwardTo(key.publicKeyBase58, ed25519KeyOf(routing) ?? '', text)
      expect((await post(String(grant?.['endpoint']), forward)).status).toBe(202)
      return envelope
    }
    const open = () => PhoneSocket.open(service.app.url, phone)
    const waits = async () => (await phone.waiting()).map(({ envelope }) => envelope)
    const wasWoken = () => receiver.syncRequests.some(({ data }) => data.walletId === id)
    return { phone, send, open, waits, wasWoken }
  }

  it('push what waits and what comes to a phone that pings on one, and keep it until it is received', async () => {
    const { send, open, waits } = await phoneWithKey()
    const before = [await send('one'), await send('two')]
    const socket = await open()
    await socket.wallet.say(PING, { response_requested: false })
    await expect.poll(() => socket.received).toEqual(before)
    const third = await send('three')
    await expect.poll(() => socket.received).toEqual([...before, third])
    expect(await waits()).toEqual([...before, third])
    await expect.poll(waits, { interval: 500 }).toEqual([])
    socket.ws.terminate()
  })

  it('bring again on the next one what came on one that ended too soon', async () => {
    const { send, open } = await phoneWithKey()
    const envelope = await send()
    const first = await open()
    await first.wallet.say(PING, { response_requested: false })
    await expect.poll(() => first.received).toEqual([envelope])
    first.ws.close()
    const second = await open()
    await second.wallet.say(PING, { response_requested: false })
    await expect.poll(() => second.received).toEqual([envelope])
    second.ws.terminate()
  })

  it('take what the phone writes after a message has arrived for its receipt', async () => {
    const { send, open, waits } = await phoneWithKey()
    const socket = await open()
    await socket.wallet.say(PING)
    const envelope = await send()
    await expect.poll(() => socket.received).toContain(envelope)
    let pings = 0
    // The answer to our ping has to be there first.
    const acknowledged = async () => {
      await socket.wallet.say(PING, { '@id': `again-${++pings}` })
      return waits()
    }
    const startedMs = performance.now()
    await expect.poll(acknowledged).toEqual([])
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    socket.ws.terminate()
  })

  it('deliver one by one in live mode, and delete what the phone says that it has', async () => {
    const { send, open, waits } = await phoneWithKey()
    const first = await send('one')
    const socket = await open()
    await socket.wallet.say(LIVE, { live_delivery: true })
    await expect.poll(() => socket.delivered.map(({ envelope }) => envelope)).toEqual([first])
    expect(socket.answers[0]).toMatchObject({ live_delivery: true, message_count: 0 })
    const second = await send('two')
    await expect.poll(() => socket.delivered.map(({ envelope }) => envelope)).toEqual([first, second])
    await socket.wallet.say(RECEIVED, { message_id_list: [socket.delivered[1]?.id] })
    await expect.poll(waits).toEqual([first])
    socket.ws.terminate()
    const next = await open()
    await next.wallet.say(LIVE, { live_delivery: true })
    await expect.poll(() => next.delivered.map(({ envelope }) => envelope)).toEqual([first])
    next.ws.terminate()
  })

  it('spare the organisation the wake-up for what has arrived, and not for what has not', async () => {
    const here = await phoneWithKey()
    const away = await phoneWithKey()
    const socket = await here.open()
    await socket.wallet.say(LIVE, { live_delivery: true })
    await expect.poll(() => socket.answers.length).toBe(1)
    await here.send()
    await expect.poll(() => socket.delivered.length).toBe(1)
    await socket.wallet.say(RECEIVED, { message_id_list: [socket.delivered[0]?.id] })
    await expect.poll(here.waits).toEqual([])
    await away.send()
    await expect.poll(away.wasWoken).toBe(true)
    expect(here.wasWoken()).toBe(false)
    socket.ws.terminate()
  })

  it('show nothing to whoever is not the phone', async () => {
    const { phone, send, open } = await phoneWithKey()
    await send()
    const stranger = await PhoneSocket.open(service.app.url, phone)
    const somebody = new HandMadeWallet(async (_, envelope) => {
      stranger.ws.send(envelope)
      return null
    })
    somebody.mailbox = phone.mailbox
    for (let each = 0; each < 8; each++) await somebody.say(PING)
    await expect.poll(() => stranger.code).toBe(1008)
    expect(stranger.received).toEqual([])
    const socket = await open()
    await socket.wallet.say(PING)
    await expect.poll(() => socket.received.length).toBe(2)
    socket.ws.terminate()
  })

  it('end with the service, which finishes what was said before', async () => {
    const other = await runningService({ VOUCHSAFE_HTTP_ENGINE: engine })
    const shared = new WebSocket(`${other.app.url.replace(/^http/, 'ws')}/didcomm`)
    let code: number | null = null
    shared.addEventListener('close', (event) => {
      code = event.code
    })
    await expect.poll(() => shared.readyState).toBe(WebSocket.OPEN)
    await other.app.stop()
    await expect.poll(() => code).toBe(1001)
  })
})
