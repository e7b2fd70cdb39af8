import { afterAll, describe, expect, it } from 'vitest'
import { CryptoPool } from '../../src/anoncreds/crypto-pool.ts'
import type { EngineChoice } from '../../src/anoncreds/selection.ts'
import { inputOf, readFixture } from './verifier-fixtures.ts'

const unreadable = {
  credentialDefinition: '{}',
  credentialDefinitionPrivate: '{}',
  offer: '{',
  request: '{}',
  values: {},
}

describe.each<[EngineChoice, string]>([
  ['native', 'native'],
  ['library', 'library'],
])('a thread with engine "%s"', (engine, name) => {
  const pool = new CryptoPool({ engine, workers: 1, queueMax: 8, tableBytesMax: 2 ** 28 })
  afterAll(() => pool[Symbol.asyncDispose]())

  it('says which engine answered', async () => {
    const answer = await pool.run('tenant', { kind: 'verify', input: inputOf(readFixture('honest')) })
    expect(answer).toEqual({ kind: 'verified', outcome: { value: true, engine: name } })
  })

  it('answers a failure as data', async () => {
    const answer = await pool.run('tenant', { kind: 'issue', input: unreadable })
    expect(answer).toMatchObject({ kind: 'failed', failure: 'refused', engine: 'checks' })
  })

  it('makes primes only where they are used', async () => {
    const answer = await pool.run('tenant', { kind: 'fill', count: 1 })
    expect(answer.kind === 'filled' && answer.waiting > 0).toBe(engine === 'native')
  })
})
