import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Offers, openOffers } from './ignored-offers.ts'
import { eventually } from '../eventually.ts'

const PATH = '/v1/events/stream'
const LISTENERS = 3
const OFFERS = 12

describe('streams of events of the whole service', () => {
  let at: Offers
  beforeAll(async () => {
    at = await openOffers()
  }, 240_000)
  afterAll(() => at?.close())

  const listen = async (headers: Readonly<Record<string, string>> = {}, key = at.apiKey) => {
    const leaving = new AbortController()
    onTestFinished(() => leaving.abort())
    const response = await fetch(`${at.url()}${PATH}`, {
      headers: { Authorization: `Bearer ${key}`, ...headers },
      signal: leaving.signal,
    })
    const got = { text: '', isOver: false }
    const read = async (): Promise<void> => {
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) got.text += decoder.decode(chunk as Uint8Array)
    }
    void read()
      .catch(() => undefined)
      .finally(() => (got.isOver = true))
    return {
      status: response.status,
      got,
      ids: () => [...got.text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id ?? ''),
      leave: () => leaving.abort(),
    }
  }
  const firstOf = (id: string): string => `evt_${id}_1`
  const lastOf = (id: string): string => `evt_${id}_2`

  it('tell every listener every event once, those of a record in their order, wherever they listen', async () => {
    const listeners = await Promise.all(Array.from({ length: LISTENERS }, () => listen()))
    expect(listeners.map(({ status }) => status)).toEqual(listeners.map(() => 200))
    const offered: string[] = []
    for (let number = 0; number < OFFERS; number++) {
      const id = await at.offer(`heard-${number}`)
      await at.cancel(id)
      offered.push(id)
    }
    const told = offered.flatMap((id) => [firstOf(id), lastOf(id)]).toSorted()
    for (const { ids } of listeners) {
      await eventually(() => expect(ids().toSorted()).toEqual(told))
      for (const id of offered) expect(ids().indexOf(firstOf(id))).toBeLessThan(ids().indexOf(lastOf(id)))
    }
    for (const { leave } of listeners) leave()
  }, 240_000)

  it('go on behind the last event that was heard, or say that there is a gap', async () => {
    const first = await listen()
    const heard = await at.offer('heard')
    await eventually(() => expect(first.ids()).toEqual([firstOf(heard)]))
    first.leave()
    const missed = await at.offer('missed')
    const second = await listen({ 'Last-Event-ID': firstOf(heard) })
    const next = await at.offer('next')
    await eventually(() => expect(second.ids()).toContain(firstOf(next)))
    const isWhole = second.ids().includes(firstOf(missed))
    expect([isWhole, second.got.text.includes('event: stream.gap')]).toEqual([isWhole, !isWhole])
    expect(second.ids()).not.toContain(firstOf(heard))
    second.leave()
  })

  it('end with the key that opened them', async () => {
    const { id, key } = await at.order('key create', { tenant: at.tenant, label: 'x' })
    const listener = await listen({}, String(key))
    expect(listener.status).toBe(200)
    await at.order('key revoke', { keyId: id })
    await eventually(() => expect(listener.got.isOver).toBe(true))
    const before = listener.got.text
    await at.offer('too late')
    expect(listener.got.text).toBe(before)
    expect((await listen({}, String(key))).status).toBe(401)
  })
})
