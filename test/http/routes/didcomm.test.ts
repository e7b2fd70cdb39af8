import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
import { createFrontDoor } from '../../../src/http/front-door/front-door.ts'
import { didcommRoute } from '../../../src/http/routes/didcomm.ts'
import type { Route } from '../../../src/http/route/route.ts'
import { LargeEnvelopes } from '../../../src/http/routes/large-envelopes.ts'
import { silentLog } from '../../silent-log.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { plainDoor } from '../front-door/plain-door.ts'
import { requestHead } from '../parts/request-head.ts'

/** An envelope of so many bytes. */
const envelope = (bytes: number): string => {
  const empty = '{"protected":"p","iv":"i","ciphertext":"","tag":"t"}'
  return empty.replace('""', `"${'c'.repeat(bytes - empty.length)}"`)
}

type Sender = { readonly address?: string; readonly from?: string; readonly largeEnvelopes?: LargeEnvelopes }

const post = async (body: string, isKnown = false, sender: Sender = {}) => {
  const { address = 'con_1', from = '192.0.2.1', largeEnvelopes = new LargeEnvelopes(() => 0) } = sender
  const received: string[] = []
  const asked: string[] = []
  const route = didcommRoute(
    {
      receive: async (_, text) => {
        received.push(text)
        return 'accepted'
      },
      isKnown: async (at, text) => {
        asked.push(`${at} ${text}`)
        return isKnown
      },
    },
    () => from,
    largeEnvelopes,
  )
  const { status } = await answerOf(route, body, address)
  return { status, received, asked }
}

const answerOf = (route: Route, body: string, address = 'con_1') => {
  const door = createFrontDoor({ ...plainDoor, routes: [route], log: silentLog, metrics: createMetrics() })
  const type = { 'content-type': 'application/didcomm-envelope-enc' }
  const head = requestHead(type, { method: 'POST', path: `/didcomm/${address}` })
  return door.accept(head).respond(Buffer.from(body))
}

const postTo = (answer: { readonly reason: string } | { readonly answer: string }) =>
  answerOf(
    didcommRoute(
      { receive: async () => answer, isKnown: async () => false },
      () => '',
      new LargeEnvelopes(() => 0),
    ),
    '{}',
  )

describe('the address of wallets', () => {
  it('says by its answer what no message could say', async () => {
    const { status, body } = await postTo({ reason: 'The address is never written to.' })
    expect([status, JSON.parse(String(body))]).toMatchObject([
      400,
      { reason: 'The address is never written to.' },
    ])
  })

  it('carries the answer to a wallet that takes it there', async () => {
    expect(await postTo({ answer: '{"protected":"p"}' })).toMatchObject({
      status: 200,
      headers: { 'Content-Type': 'application/didcomm-envelope-enc', 'Cache-Control': 'no-store' },
      body: '{"protected":"p"}',
    })
  })

  const { strangerEnvelopeBytesMax: ofStrangers, envelopeBytesMax } = limits

  it('takes what anybody may send without asking who it is', async () => {
    const text = envelope(ofStrangers)
    expect(await post(text)).toEqual({ status: 202, received: [text], asked: [] })
  })

  it('takes more from those whom it knows, by all but the ciphertext', async () => {
    const text = envelope(envelopeBytesMax)
    const asked = ['con_1 {"protected":"p","iv":"i","ciphertext":"","tag":"t"}']
    expect(await post(text, true)).toEqual({ status: 202, received: [text], asked })
    expect(await post(envelope(ofStrangers + 1))).toEqual({ status: 413, received: [], asked })
  })

  it('takes nothing whose size is anywhere but in the ciphertext', async () => {
    const long = 'x'.repeat(ofStrangers)
    for (const text of [`{"protected":"${long}"}`, `{"header":{"ciphertext":"${long}"}}`, `"${long}"`])
      expect(await post(text, true)).toEqual({ status: 413, received: [], asked: [] })
    const many = '"":0,'.repeat(limits.bodyPropertiesMax + 1)
    for (const text of [`{${many}"ciphertext":"c"}`, `{${many}"ciphertext":"${long}"}`, '['.repeat(9_000)])
      expect(await post(text, true)).toEqual({ status: 400, received: [], asked: [] })
  })

  it('takes few large ones of a connection and of a network in a minute, and small ones all the time', async () => {
    let nowMs = 0
    const largeEnvelopes = new LargeEnvelopes(() => nowMs)
    const [large, small] = [envelope(ofStrangers + 1), envelope(ofStrangers)]
    const send = async (address: string, from: string, text = large) =>
      (await post(text, true, { address, from, largeEnvelopes })).status
    const times = async (count: number, one: (index: number) => Promise<number>) => {
      const statuses = new Set<number>()
      for (let index = 0; index < count; index += 1) statuses.add(await one(index))
      return [...statuses]
    }
    const { largeEnvelopesOfConnectionPerMinute: ofConnection } = limits
    expect(await times(ofConnection, (index) => send('con_1', `192.0.2.${index}`))).toEqual([202])
    expect(await times(3, (index) => send('con_1', `192.0.3.${index}`))).toEqual([429])
    expect(await times(3, () => send('con_1', '192.0.2.1', small))).toEqual([202])
    const ofNetwork = limits.largeEnvelopesOfNetworkPerMinute
    expect(await times(ofNetwork, (index) => send(`con_of_${index}`, '198.51.100.1'))).toEqual([202])
    expect(await send('con_new', '198.51.100.1')).toBe(429)
    expect(await send('con_new', '198.51.100.2')).toBe(202)
    nowMs = 60_001
    expect(await send('con_1', '198.51.100.1')).toBe(202)
  })

  it('counts no large ones of those whom it does not know', async () => {
    const largeEnvelopes = new LargeEnvelopes(() => 0)
    for (let index = 0; index < 20; index += 1)
      expect((await post(envelope(ofStrangers + 1), false, { largeEnvelopes })).status).toBe(413)
    expect((await post(envelope(ofStrangers + 1), true, { largeEnvelopes })).status).toBe(202)
  })
})
