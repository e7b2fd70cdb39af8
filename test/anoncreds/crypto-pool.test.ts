import { afterAll, describe, expect, it } from 'vitest'
import { AnonCredsOverloaded, AnonCredsUnavailable } from '../../src/ports/anoncreds.ts'
import { CryptoPool } from '../../src/anoncreds/crypto-pool.ts'
import { inputOf, readFixture } from './verifier-fixtures.ts'

const settings = { engine: 'native', workers: 1, queueMax: 8, tableBytesMax: 2 ** 28 } as const
const honest = { kind: 'verify', input: inputOf(readFixture('honest')) } as const
const altered = { kind: 'verify', input: inputOf(readFixture('false-predicate')) } as const

describe('the threads', () => {
  const filled: number[] = []
  const pool = new CryptoPool(settings, ({ waiting }) => filled.push(waiting))

  afterAll(() => pool[Symbol.asyncDispose]())

  it('verify with the own engine', async () => {
    expect(await pool.run('a', honest)).toEqual({
      kind: 'verified',
      outcome: { value: true, engine: 'native' },
    })
  })

  it('refuse by the strict checks', async () => {
    expect(await pool.run('a', altered)).toEqual({
      kind: 'verified',
      outcome: { value: false, engine: 'checks' },
    })
  })

  it('refuse more work than may wait', async () => {
    const runs = Array.from({ length: 12 }, (_, index) => pool.run(`tenant ${index}`, honest))
    const results = await Promise.allSettled(runs)
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused) expect(reason).toBeInstanceOf(AnonCredsOverloaded)
    expect(pool.waiting).toBe(0)
  })

  it('serve a quiet tenant before the rest of a busy one', async () => {
    const order: string[] = []
    const run = (tenant: string) => pool.run(tenant, honest).then(() => order.push(tenant))
    await Promise.all([run('busy'), run('busy'), run('busy'), run('busy'), run('quiet')])
    expect(order.indexOf('quiet')).toBeLessThan(3)
  })

  it('make primes while they have nothing else to do', async () => {
    await expect.poll(() => filled.length, { timeout: 60_000 }).toBeGreaterThan(2)
    expect(filled.at(-1)).toBeGreaterThan(0)
  })
})

describe('closing threads', () => {
  it('refuse new and waiting work with a retryable error', async () => {
    const pool = new CryptoPool(settings)
    const runs = Array.from({ length: 4 }, () => pool.run('a', honest))
    const results = Promise.allSettled(runs)
    await pool[Symbol.asyncDispose]()
    expect((await results).some((result) => result.status === 'rejected')).toBe(true)
    await expect(pool.run('a', honest)).rejects.toThrow(AnonCredsUnavailable)
  })
})
