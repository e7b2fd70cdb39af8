import { describe, expect, it } from 'vitest'
import { watchesHere } from '../../../src/cluster/watches/local-watches.ts'
import { watchDefaults } from '../../../src/cluster/watches/settings.ts'

let nowMs = 0
/** Time passes whenever somebody waits for it, or never. */
const now = { monotonicMs: () => nowMs, sleep: async (ms: number) => void (nowMs += ms) }
const never = { monotonicMs: () => 0, sleep: () => new Promise<void>(() => undefined) }

describe('watches where there is but one node', () => {
  it('hear of what comes until they end, and say whether they have taken it', async () => {
    const watches = watchesHere(never, watchDefaults)
    const told: string[] = []
    expect(await watches.announce('mbx_a')).toBe(false)
    const first = await watches.watch('mbx_a', () => told.push('first') < 0)
    const second = await watches.watch('mbx_a', async () => told.push('second') > 0)
    await watches.watch('mbx_b', () => told.push('b') > 0)
    expect(await watches.announce('mbx_a')).toBe(true)
    second[Symbol.dispose]()
    expect(await watches.announce('mbx_a')).toBe(false)
    first[Symbol.dispose]()
    first[Symbol.dispose]()
    expect(await watches.announce('mbx_a')).toBe(false)
    expect(told).toEqual(['first', 'second', 'first'])
  })

  it('that fail or do not answer in time have taken nothing', async () => {
    const failing = watchesHere(never, watchDefaults)
    await failing.watch('mbx_a', () => {
      throw new Error('a bug')
    })
    expect(await failing.announce('mbx_a')).toBe(false)
    const late = watchesHere(now, watchDefaults)
    await late.watch('mbx_a', () => new Promise(() => undefined))
    expect(await late.announce('mbx_a')).toBe(false)
  })

  it('have taken nothing when the process stops meanwhile', async () => {
    const watches = watchesHere(never, watchDefaults)
    await watches.watch('mbx_a', () => new Promise(() => undefined))
    const announced = watches.announce('mbx_a')
    watches.stop()
    expect(await announced).toBe(false)
  })
})
