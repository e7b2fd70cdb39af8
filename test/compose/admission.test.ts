import { describe, expect, it } from 'vitest'
import { composeIdempotency, composeRateLimit } from '../../src/compose/api.ts'
import { serviceOnMemory } from './service-on-memory.ts'

describe('what every request passes', () => {
  it('counts the requests of a key in the memory of this node', async () => {
    const limit = composeRateLimit(
      { monotonicMs: () => 1 },
      { apiKeyRequestsPerMinute: 1, walletTokenRequestsPerMinute: 1, sessionRequestsPerMinute: 1 },
    )
    const key = { kind: 'api_key', tenantId: 't', keyId: 'k' } as const
    expect([(await limit(key))?.is, (await limit(key))?.is]).toEqual(['admitted', 'refused'])
  })

  it('takes a run for dead after as long as its asks may take', async () => {
    const service = await serviceOnMemory()
    const { actors, vault, runtime } = service
    const oncePerKey = composeIdempotency({ actors, vault, runtime }, 60_000)
    const request = { tenant: 'ten_1', method: 'POST', path: '/p', key: 'k', body: {} }
    const work = {
      newRecordId: () => 'rec_1',
      showRecord: () => Promise.resolve(null),
      storedFields: [],
      secretFields: [],
      createdStatus: 201,
    }
    const lost = { ...work, run: () => new Promise<never>(() => undefined) }
    void oncePerKey(request, lost)
    const whole = { ...work, run: () => Promise.resolve({ status: 201, body: {} }) }
    await expect.poll(async () => (await oncePerKey(request, whole)).is).toBe('idempotency_in_progress')
    runtime.forward(180_000)
    expect((await oncePerKey(request, whole)).is).toBe('idempotency_in_progress')
    runtime.forward(60_000)
    expect((await oncePerKey(request, whole)).is).toBe('answer')
    await service.close()
  })
})
