import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Offers, openOffers } from './ignored-offers.ts'
import { type Json, untilConfirmed } from './running-service.ts'

const OFFERS = 60
const PAGE = 25

type Page = { readonly items: readonly Json[]; readonly total: number }

describe('lists of the whole service', () => {
  let at: Offers
  const offered: string[] = []
  const list = async (query: string, key?: string): Promise<Page> => {
    const { status, text, json } = await at.send('GET', `/v1/credentials?${query}`, undefined, key)
    expect([status, text]).toEqual([200, expect.any(String)])
    return json as unknown as Page
  }
  const idsIn = ({ items }: Page): readonly string[] => items.map(({ id }) => String(id))

  beforeAll(async () => {
    at = await openOffers()
  }, 240_000)
  afterAll(() => at?.close())

  it('have what the caller has written when the caller looks, whoever answers', async () => {
    for (let number = 0; number < OFFERS; number++) {
      const externalId = `order-${String(number).padStart(2, '0')}`
      const id = await at.offer(externalId)
      offered.push(id)
      const found = await list(`externalId=${externalId}`)
      expect([externalId, found.total, idsIn(found)]).toEqual([externalId, 1, [id]])
      expect((await list('')).total).toBe(offered.length)
    }
  }, 240_000)

  it('have every record once over their pages, newest first, with the same total on each', async () => {
    const pages: Page[] = []
    for (let page = 1; page <= Math.ceil(OFFERS / PAGE); page++)
      pages.push(await list(`page=${page}&pageSize=${PAGE}`))
    expect(pages.map(({ total }) => total)).toEqual(pages.map(() => OFFERS))
    expect(pages.flatMap(idsIn)).toEqual(offered.toReversed())
    expect(idsIn(await list(`page=${pages.length + 1}&pageSize=${PAGE}`))).toEqual([])
  })

  it('find a record by a part of its text, and by its state as soon as that has changed', async () => {
    expect(idsIn(await list('q=ORDER-07'))).toEqual([offered[7]])
    expect((await list('q=order-1')).total).toBe(10)
    for (const [index, id] of offered.slice(0, 5).entries()) {
      await at.cancel(id)
      expect((await list('state=abandoned')).total).toBe(index + 1)
      expect((await list('state=offer-sent')).total).toBe(OFFERS - index - 1)
    }
    expect((await list('state=abandoned&state=offer-sent')).total).toBe(OFFERS)
  })

  it('forget what was erased, and tell another organisation nothing', async () => {
    const [first = ''] = offered
    const erased = await untilConfirmed(() => at.send('POST', `/v1/credentials/${first}/erase`))
    expect(erased.status).toBe(200)
    const [record] = (await list(`externalId=order-00`)).items
    expect(record).toMatchObject({ id: first, attributes: null, erasedAt: expect.any(String) as unknown })
    const { json: erasures } = await at.send('GET', '/v1/erasures')
    expect(erasures).toMatchObject({ total: 1, items: [{ recordId: first }] })
    const { id } = await at.order('tenant create', { name: 'Other' })
    const { key } = await at.order('key create', { tenant: id, label: 'x' })
    expect(await list('q=order', String(key))).toMatchObject({ total: 0, items: [] })
  })
})
