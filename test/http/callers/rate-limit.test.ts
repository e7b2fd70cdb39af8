import { describe, expect, it } from 'vitest'
import { shardDigits } from '../../../src/domain/references.ts'
import type { Caller } from '../../../src/http/callers/caller.ts'
import { rateLimitOf } from '../../../src/http/callers/rate-limit.ts'
import { LocalRateWindows, type RateDecision, type RateWindows } from '../../../src/timing/rate-windows.ts'

const rates = { apiKeyRequestsPerMinute: 2, walletTokenRequestsPerMinute: 1, sessionRequestsPerMinute: 2 }
const key: Caller = { kind: 'api_key', tenantId: 't', keyId: 'key_1' }
const wallet: Caller = { kind: 'wallet_token', tenantId: 't', walletId: 'wal_1' }

const at = (timesMax = 1_000) => {
  const clock = { ms: 0 }
  const windows = new LocalRateWindows(() => clock.ms, timesMax)
  return { clock, limit: rateLimitOf(windows, rates) }
}

describe('the rate of a caller', () => {
  it('is told with every answer', async () => {
    const { clock, limit } = at()
    await limit(key)
    clock.ms = 10_500
    const admission = await limit(key)
    expect(admission).toEqual({
      is: 'admitted',
      headers: { RateLimit: '"default";r=0;t=50', 'RateLimit-Policy': '"default";q=2;w=60' },
    })
  })

  it('is refused with a Retry-After which, obeyed, succeeds', async () => {
    const { clock, limit } = at()
    await limit(key)
    clock.ms = 0.4
    await limit(key)
    const refused = await limit(key)
    if (refused?.is !== 'refused') throw new Error('it was admitted')
    expect(refused.problem).toMatchObject({
      problem: 'rate_limited',
      headers: { 'RateLimit-Policy': '"default";q=2;w=60' },
    })
    clock.ms += Number(refused.problem.headers['Retry-After']) * 1_000
    expect((await limit(key))?.is).toBe('admitted')
  })

  it('is that of its kind, or the one it was given', async () => {
    const { limit } = at()
    expect([(await limit(wallet))?.is, (await limit(wallet))?.is]).toEqual(['admitted', 'refused'])
    const raised: Caller = { ...key, keyId: 'key_2', ratePerMinute: 3 }
    const taken = [await limit(raised), await limit(raised), await limit(raised), await limit(raised)]
    expect(taken.map((each) => each?.is)).toEqual(['admitted', 'admitted', 'admitted', 'refused'])
  })

  it('is beside that of its organisation, which takes nothing where the key has no room', async () => {
    const { clock, limit } = at()
    const of = (keyId: string): Caller => ({ ...key, keyId, ratePerMinute: 3, tenantRatePerMinute: 4 })
    const taken = [await limit(of('a')), await limit(of('a')), await limit(of('a')), await limit(of('a'))]
    expect(taken.map((each) => each?.is)).toEqual(['admitted', 'admitted', 'admitted', 'refused'])
    expect(taken[3]).toMatchObject({ problem: { headers: { 'RateLimit-Policy': '"default";q=3;w=60' } } })
    expect(await limit(of('b'))).toEqual({
      is: 'admitted',
      headers: { RateLimit: '"organisation";r=0;t=60', 'RateLimit-Policy': '"organisation";q=4;w=60' },
    })
    clock.ms = 30_000
    for (let again = 0; again < 5; again++)
      expect(await limit(of('b'))).toMatchObject({
        problem: { reason: expect.stringContaining('of the organisation') as string },
      })
    // What the organisation refused did not count for the key.
    clock.ms = 60_001
    const later = [await limit(of('b')), await limit(of('b')), await limit(of('b')), await limit(of('b'))]
    expect(later.map((each) => each?.is)).toEqual(['admitted', 'admitted', 'admitted', 'refused'])
  })

  it('of a person is that of each session, whomever it acts for', async () => {
    const { limit } = at()
    const session = { id: 'ses_1', steppedUpAtMs: 0 }
    const operator: Caller = { kind: 'operator', operatorId: 'o', session }
    const acting: Caller = {
      kind: 'member',
      tenantId: 't',
      memberId: 'o',
      role: 'viewer',
      session,
      isActing: true,
    }
    const taken = [await limit(operator), await limit(acting), await limit(operator)]
    expect(taken.map((each) => each?.is)).toEqual(['admitted', 'admitted', 'refused'])
    const elsewhere: Caller = { ...operator, session: { ...session, id: 'ses_2' } }
    expect((await limit(elsewhere))?.is).toBe('admitted')
  })

  it('of a session is counted where its account is, whatever the session is called', async () => {
    const shards: number[] = []
    const windows: RateWindows = {
      take: (counted) => {
        shards.push(shardDigits(counted))
        return { is: 'admitted', remaining: 1, resetMs: 1 }
      },
      takeBack: () => undefined,
    }
    const limit = rateLimitOf(windows, rates)
    for (const id of ['zzzzzzzzzz', '00000000', 'v_ff'])
      await limit({ kind: 'operator', operatorId: 'acc_2a00000000', session: { id, steppedUpAtMs: 0 } })
    expect(shards).toEqual([42, 42, 42])
  })

  it('stays literal for a key whose organisation is counted elsewhere and refuses', async () => {
    const clock = { ms: 0 }
    const windows = new LocalRateWindows(() => clock.ms, 1_000)
    const answers: PromiseWithResolvers<RateDecision>[] = []
    const elsewhere: RateWindows = {
      take: (counted, rate) => {
        if (counted !== 't') return windows.take(counted, rate)
        const answer = Promise.withResolvers<RateDecision>()
        answers.push(answer)
        return answer.promise
      },
      takeBack: (counted) => windows.takeBack(counted),
    }
    const limit = rateLimitOf(elsewhere, rates)
    const caller: Caller = { ...key, ratePerMinute: 2, tenantRatePerMinute: 1 }
    const first = limit(caller)
    clock.ms = 50_000
    const second = limit(caller)
    answers[1]?.resolve({ is: 'admitted', remaining: 0, resetMs: 60_000 })
    expect((await second)?.is).toBe('admitted')
    answers[0]?.resolve({ is: 'refused', remaining: 0, resetMs: 60_000 })
    expect((await first)?.is).toBe('refused')
    // The one that was admitted counts until 110 seconds.
    clock.ms = 100_000
    expect(windows.peek('key_1', 60_000).count).toBe(1)
  })

  it('is none for nobody, and for the command line of the machine', () => {
    const { limit } = at()
    expect(limit({ kind: 'nobody' })).toBeNull()
    expect(limit({ kind: 'operator', operatorId: 'local', isLocal: true })).toBeNull()
  })

  it('is retryable when there is no room to count it', async () => {
    const { limit } = at(10)
    expect(await limit(key)).toMatchObject({
      is: 'refused',
      problem: { problem: 'overloaded', headers: { 'Retry-After': '1' } },
    })
  })
})
