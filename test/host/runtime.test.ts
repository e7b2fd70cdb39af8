import { describe, expect, it } from 'vitest'
import { actorId } from '../../src/domain/references.ts'
import { createRuntime } from '../../src/host/runtime.ts'

const runtime = createRuntime()

describe('the real runtime', () => {
  it('makes ids that differ and fit into the id of an actor', () => {
    const ids = Array.from({ length: 2_000 }, () => runtime.newId())
    expect(new Set(ids).size).toBe(2_000)
    for (const id of ids) expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/)
    expect(actorId('con', 7, ids[0] ?? '')).toHaveLength(32)
  })

  it('uses all 128 bits of an id', () => {
    const seen = Array.from({ length: 26 }, () => new Set<string>())
    for (let count = 0; count < 2_000; count++) {
      for (const [index, digit] of Array.from(runtime.newId()).entries()) seen[index]?.add(digit)
    }
    expect(seen.map(({ size }) => size)).toEqual([...Array.from({ length: 25 }, () => 32), 8])
  })

  it('sleeps as long as asked', async () => {
    const begin = runtime.monotonicMs()
    await runtime.sleep(20)
    expect(runtime.monotonicMs() - begin).toBeGreaterThanOrEqual(19)
  })

  it('wakes with the reason of the signal', async () => {
    const abort = new AbortController()
    const sleeping = runtime.sleep(2 ** 40, abort.signal)
    abort.abort(new Error('enough'))
    await expect(sleeping).rejects.toThrow('enough')
  })

  it('has a random number below one', () => {
    expect(runtime.random()).toBeLessThan(1)
    expect(runtime.now()).toBeGreaterThan(1_600_000_000_000)
  })
})
