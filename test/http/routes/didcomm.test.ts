import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
import { createFrontDoor } from '../../../src/http/front-door/front-door.ts'
import { didcommRoute } from '../../../src/http/routes/didcomm.ts'
import type { Route } from '../../../src/http/route/route.ts'
import { silentLog } from '../../silent-log.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { plainDoor } from '../front-door/plain-door.ts'
import { requestHead } from '../parts/request-head.ts'

/** An envelope of so many bytes. */
const envelope = (bytes: number): string => {
  const empty = '{"protected":"p","iv":"i","ciphertext":"","tag":"t"}'
  return empty.replace('""', `"${'c'.repeat(bytes - empty.length)}"`)
}

const post = async (body: string, isKnown = false) => {
  const received: string[] = []
  const asked: string[] = []
  const route = didcommRoute(
    {
      receive: async (_, text) => {
        received.push(text)
        return 'accepted'
      },
      isKnown: async (address, head) => {
        asked.push(`${address} ${head}`)
        return isKnown
      },
    },
    () => '',
  )
  const { status } = await answerOf(route, body)
  return { status, received, asked }
}

const answerOf = (route: Route, body: string) => {
  const door = createFrontDoor({ ...plainDoor, routes: [route], log: silentLog, metrics: createMetrics() })
  const type = { 'content-type': 'application/didcomm-envelope-enc' }
  const head = requestHead(type, { method: 'POST', path: '/didcomm/con_1' })
  return door.accept(head).respond(Buffer.from(body))
}

const postTo = (answer: { readonly reason: string }) =>
  answerOf(
    didcommRoute({ receive: async () => answer, isKnown: async () => false }, () => ''),
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
})
