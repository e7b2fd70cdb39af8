import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { isGenuine, startReceiver } from '../webhooks/receiver.ts'
import { eventually } from '../eventually.ts'
import { type Offers, openOffers } from './ignored-offers.ts'
import { untilConfirmed } from './running-service.ts'

const REFUSALS = 2

type Told = { readonly id: string; readonly data: { readonly id: string; readonly sequence: number } }

describe('webhooks of the whole service', () => {
  let at: Offers
  let secret = ''
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    at = await openOffers()
  }, 240_000)
  afterAll(() => at?.close())
  beforeEach(async () => {
    receiver = await startReceiver()
    onTestFinished(() => receiver[Symbol.asyncDispose]())
  })

  /** The secret is shown once; another address keeps it. */
  const set = async (eventTypes: readonly string[] | null = null): Promise<string> => {
    const { secret: shown } = await at.order('webhook set', {
      tenant: at.tenant,
      url: receiver.url,
      eventTypes,
    })
    if (typeof shown === 'string') secret = shown
    return secret
  }
  const told = (): readonly Told[] => receiver.arrived.map(({ body }) => JSON.parse(body) as Told)
  const eventsOf = (record: string): readonly string[] =>
    told()
      .filter(({ data }) => data.id === record)
      .map(({ id }) => id)
  const bothOf = (id: string): readonly string[] => [`evt_${id}_1`, `evt_${id}_2`]

  it('come for every change, each with one genuine signature, also when many come at once', async () => {
    const shown = await set()
    const offered = await Promise.all(Array.from({ length: 20 }, (_, number) => at.offer(`many-${number}`)))
    await Promise.all(offered.map((id) => at.cancel(id)))
    for (const id of offered) await eventually(() => expect(eventsOf(id).toSorted()).toEqual(bothOf(id)))
    expect(receiver.arrived.every((each) => isGenuine(each, shown))).toBe(true)
  }, 240_000)

  it('come again until they are taken, and not once more', async () => {
    await set()
    let refused = 0
    receiver.behaviour.answer = (_, response) => {
      refused += 1
      response.writeHead(refused <= REFUSALS ? 500 : 204).end()
    }
    const id = await at.offer('refused at first')
    await eventually(() => expect(eventsOf(id)).toHaveLength(REFUSALS + 1))
    await at.cancel(id)
    await eventually(() => expect(eventsOf(id)).toContain(`evt_${id}_2`))
    expect(eventsOf(id)).toEqual([
      ...Array.from({ length: REFUSALS + 1 }, () => `evt_${id}_1`),
      `evt_${id}_2`,
    ])
  }, 240_000)

  it('are signed with the new secret and the one before, from the answer to a rotation on', async () => {
    const before = await set()
    const { secret: after } = await at.order('webhook rotate', { tenant: at.tenant })
    const id = await at.offer('rotated')
    await eventually(() => expect(eventsOf(id)).toHaveLength(1))
    const one = receiver.arrived.find(({ body }) => body.includes(id))
    if (one === undefined) throw new Error('nothing came')
    expect([isGenuine(one, before), isGenuine(one, String(after)), isGenuine(one, 'other')]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('are those that were asked for', async () => {
    await set(['record.erased'])
    const id = await at.offer('quiet')
    await at.cancel(id)
    const erased = await untilConfirmed(() => at.send('POST', `/v1/credentials/${id}/erase`))
    expect(erased.status).toBe(200)
    const types = () => receiver.arrived.map(({ body }) => (JSON.parse(body) as { type: string }).type)
    await eventually(() => expect(types()).toEqual(['record.erased']))
  })
})
