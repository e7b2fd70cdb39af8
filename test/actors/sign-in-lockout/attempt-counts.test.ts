import { describe, expect, it } from 'vitest'
import { AttemptCounts } from '../../../src/actors/sign-in-lockout/attempt-counts.ts'

const count = (counts: AttemptCounts, key: string, atMs = 0) =>
  counts.tell(key, { type: 'CountAttempt', atMs, free: 2 })

describe('counts in memory', () => {
  it('follow the rules of those that are durable, each on its own', () => {
    const counts = new AttemptCounts(10)
    expect(count(counts, 'a')).toMatchObject({ count: 1, lockedUntilMs: 0 })
    expect(count(counts, 'a')).toMatchObject({ count: 2, lockedUntilMs: 30_000 })
    expect(count(counts, 'a')).toMatchObject({ refused: 'rate_limited' })
    expect(count(counts, 'b')).toMatchObject({ count: 1 })
    counts.tell('a', { type: 'ForgiveAttempt', atMs: 1, lockedUntilMs: 0 })
    expect(count(counts, 'a')).toMatchObject({ refused: 'rate_limited' })
  })

  it('take no room for what was right', () => {
    const counts = new AttemptCounts(10)
    count(counts, 'a')
    counts.tell('a', { type: 'ForgiveAttempt', atMs: 1, lockedUntilMs: 0 })
    count(counts, 'b')
    counts.tell('b', { type: 'ForgetAttempts', atMs: 1 })
    expect(counts.size).toBe(0)
  })

  it('are so many at most; the oldest goes, and a lock stays as long as anything else can go', () => {
    const counts = new AttemptCounts(100)
    for (let index = 0; index < 2; index++) count(counts, 'locked')
    for (let index = 0; index < 10_000; index++) count(counts, `stranger ${index}`)
    expect(counts.size).toBe(100)
    expect(count(counts, 'locked')).toMatchObject({ refused: 'rate_limited' })
    expect(counts.of('stranger 9999')).toMatchObject({ count: 1 })
    expect(counts.of('stranger 0')).toMatchObject({ count: 0 })
  })

  it('are so many also when all are locked', () => {
    const counts = new AttemptCounts(2_000)
    for (let index = 0; index < 5_000; index++) for (const _ of [1, 2]) count(counts, `locked ${index}`)
    expect(counts.size).toBe(2_000)
  })
})
