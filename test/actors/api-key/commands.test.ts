import { afterAll, describe, expect, it } from 'vitest'
import {
  apiKeyTokens,
  createApiKey,
  ownerOfApiKey,
  readApiKey,
  revokeApiKey,
  setApiKeyRate,
} from '../../../src/actors/api-key/commands.ts'
import { createTenant } from '../../../src/actors/tenant/commands.ts'
import { apiKey } from '../../../src/actors/api-key/rules.ts'
import { newRef } from '../../../src/actors/ids.ts'
import { serviceOnMemory } from '../../compose/service-on-memory.ts'
import { allowed } from '../account/accounts-world.ts'

const service = await serviceOnMemory()
const tenant = allowed(await createTenant(service.useCases, 'Registry')).id
afterAll(() => service.close())

const newId = (): string => newRef(apiKey, service.useCases.runtime)
const create = async (id = newId(), ratePerMinute: number | null = null) =>
  allowed(await createApiKey(service.useCases, { tenant, label: 'shop', ratePerMinute }, id))
const ownerOf = (key: string) => ownerOfApiKey(service.useCases, key)

describe('an API key', () => {
  it('names its tenant until it is revoked', async () => {
    const { useCases } = service
    const made = await create()
    const key = made.key ?? ''
    expect(key).toMatch(/^svc_sk_[A-Za-z0-9_-]{60,}$/)
    expect(await ownerOf(key)).toEqual({
      keyId: made.id,
      tenantId: tenant,
      ratePerMinute: null,
      tenantRatePerMinute: null,
    })
    await setApiKeyRate(useCases, made.id, 1_000)
    expect(await ownerOf(key)).toMatchObject({ ratePerMinute: 1_000 })
    await revokeApiKey(useCases, made.id)
    expect(await ownerOf(key)).toBeNull()
  })

  it('is made once for each id, however often it is ordered, and shown once', async () => {
    const id = newId()
    const [first, second] = await Promise.all([create(id, 600), create(id, 600)])
    const keys = [first.key, second.key].filter((key) => key !== null)
    expect(keys).toHaveLength(1)
    expect(await ownerOf(keys[0] ?? '')).toMatchObject({ keyId: id, ratePerMinute: 600 })
    expect(await create(id, 600)).toMatchObject({ id, key: null })
    expect(allowed(await readApiKey(service.useCases, id)).lastFour).toBe(keys[0]?.slice(-4))
  })

  it('keeps the rate that it was given since, when its order comes again', async () => {
    const { id } = await create(newId(), 600)
    allowed(await setApiKeyRate(service.useCases, id, 900))
    expect((await create(id, 600)).apiKey.ratePerMinute).toBe(900)
  })

  it('is nobody’s with another secret, or under another id', async () => {
    const [one, other] = [(await create()).key ?? '', (await create()).key ?? '']
    const swapped = one.slice(0, -59) + other.slice(-59)
    expect(await ownerOf(swapped)).toBeNull()
    expect(await ownerOf(`svc_sk_${one.slice(-59)}`)).toBeNull()
  })

  it('is made for organisations that exist', async () => {
    const order = { tenant: 'ten_00aaaaaaaaaa', label: 'x' }
    expect(await createApiKey(service.useCases, order, newId())).toMatchObject({ refused: 'not_found' })
  })

  it('that cannot be one is not even asked for', async () => {
    const texts = ['', 'svc_sk_short', `svc_wt_${'A'.repeat(43)}`, `svc_sk_ZZ${'a'.repeat(60)}`]
    expect(texts.map((text) => apiKeyTokens.ownerOf(text))).toEqual([null, null, null, null])
    expect(await ownerOf('x')).toBeNull()
    expect(await ownerOf(`svc_sk_${'A'.repeat(43)}`)).toBeNull()
  })
})
