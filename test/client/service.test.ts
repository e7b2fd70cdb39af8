import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiError, createClient } from '../../client/src/index.ts'
import { startNodeServer } from '../../src/http/server/node-server.ts'
import type { HttpServer } from '../../src/http/server/server.ts'
import { type ApiOnMemory, apiOnMemory } from '../compose/api-on-memory.ts'
import { furnished } from '../compose/service-on-memory.ts'
import { startCuttingProxy } from './parts/cutting-proxy.ts'

const values = { name: 'Ada', expiresAt: '1924992000' }
const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

describe('the client, with the real service', () => {
  let api: ApiOnMemory
  let server: HttpServer
  let proxy: Awaited<ReturnType<typeof startCuttingProxy>>
  let at: Awaited<ReturnType<typeof furnished>>
  let client: ReturnType<typeof createClient>

  beforeAll(async () => {
    api = await apiOnMemory()
    at = await furnished(api.service)
    server = await startNodeServer(
      { host: '127.0.0.1', port: 0, tls: null, bodyMemoryBytesMax: 10_000_000 },
      api.door,
    )
    proxy = await startCuttingProxy(server.port)
    const retries = { pauseFirstMs: 5 }
    client = createClient({ baseUrl: proxy.url, apiKey: await api.keyOf(at.tenant), retries })
  })
  afterAll(async () => {
    await proxy.close()
    server.stopAccepting()
    await server[Symbol.asyncDispose]()
    await api.close()
  })

  const offer = (externalId: string) => ({
    connectionId: at.connectionId,
    credentialDefinitionId: at.definitionId,
    attributes: values,
    externalId,
  })

  it('has one effect when its connection is killed before the answer, twice', async () => {
    const lostBefore = proxy.lost()
    proxy.cut(2)
    const offered = await client.offerCredential(offer('killed'))
    expect(proxy.lost() - lostBefore).toBe(2)
    const { items, total } = await client.listCredentials({ externalId: 'killed' })
    expect([total, items[0]?.id]).toEqual([1, offered.id])
    expect(offered).toMatchObject({ state: 'offer-sent', attributes: values })
  })

  it('has one effect when its own process starts it again with the same key', async () => {
    const options = { idempotencyKey: 'order 7' }
    const [first, again] = [
      await client.offerCredential(offer('again'), options),
      await client.offerCredential(offer('again'), options),
    ]
    expect(again.id).toBe(first.id)
    expect((await client.listCredentials({ externalId: 'again' })).total).toBe(1)
  })

  it('tells code, reason and request of a refusal, which it does not send again', async () => {
    const refused = await client
      .offerCredential({ ...offer('refused'), attributes: { name: 'Ada' } as never })
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({ status: 422, error: 'expires_at_required', attempts: 1 })
    expect((refused as ApiError).reason).toContain('expiresAt')
  })

  it('does not show its key in an error', async () => {
    const stranger = createClient({ baseUrl: proxy.url, apiKey: 'svc_sk_nobody' })
    const refused = (await stranger.getConnection(at.connectionId).catch((error: unknown) => error)) as Error
    expect(refused).toMatchObject({ status: 401, error: 'unauthorized' })
    expect(JSON.stringify([refused, refused.message, refused.stack])).not.toContain('svc_sk_')
  })

  it('goes through a list of many pages, once over each, while others are added', async () => {
    const offered = new Set<string>()
    for (let number = 0; number < 60; number++)
      offered.add((await client.offerCredential(offer(`many-${number}`))).id)
    const seen: string[] = []
    for await (const { id, externalId } of client.eachCredential({ externalId: 'many', pageSize: 25 })) {
      seen.push(id)
      if (seen.length % 20 === 5) await client.offerCredential(offer(`many-late-${externalId ?? ''}`))
    }
    expect(seen.length).toBe(60)
    expect(new Set(seen)).toEqual(offered)
  })

  it('goes through a list that cannot end at a time', async () => {
    const made = new Set<string>()
    for (let number = 0; number < 55; number++) {
      const wallet = await client.createWallet({}, { idempotencyKey: uuid(number) })
      expect(wallet.walletToken).toMatch(/^svc_wt_/)
      made.add(wallet.id)
    }
    const seen: string[] = []
    for await (const { id } of client.eachWallet({ pageSize: 25 })) {
      seen.push(id)
      if (seen.length === 10) await client.createWallet({}, { idempotencyKey: uuid(1_000) })
    }
    expect(seen.length).toBe(55)
    expect(new Set(seen)).toEqual(made)
  })

  it('repeats a filter as often as it has values', async () => {
    const states = ['offer-sent', 'done']
    expect((await client.listCredentials({ state: states })).total).toBeGreaterThan(60)
    expect((await client.listCredentials({ state: ['declined'] })).total).toBe(0)
  })
})
