import { describe, expect, it } from 'vitest'
import { type Evictable, Eviction } from '../../../src/host/residents/eviction.ts'

class Kept implements Evictable {
  usedMs = 0
  isSpent = false
  isIdle = true
  /** Whether there is still nothing left to do for it. */
  leaves = true
  is: 'here' | 'gone' = 'here'
  previous: Evictable | null = null
  next: Evictable | null = null
  readonly #eviction: Eviction

  constructor(eviction: Eviction) {
    this.#eviction = eviction
    eviction.add(this, 0)
  }

  evict(): void {
    this.is = 'gone'
    this.#eviction.remove(this)
  }

  leave(): void {
    if (this.leaves) this.evict()
  }
}

const busy = (): Evictable => ({
  usedMs: 0,
  isSpent: false,
  isIdle: false,
  previous: null,
  next: null,
  evict: () => undefined,
  leave: () => undefined,
})

const three = () => {
  const eviction = new Eviction({ residentMax: 100, idleMs: 60_000 })
  const [one, two, other] = [new Kept(eviction), new Kept(eviction), new Kept(eviction)]
  const here = () => [one, two, other].map(({ is }) => is)
  return { eviction, one, two, other, here }
}

describe('a resident for which nothing is left to do', () => {
  it('leaves when it was not used for half a second', () => {
    const { eviction, one, two, here } = three()
    eviction.used(two, 300)
    eviction.spent(one)
    eviction.spent(two)
    eviction.tick(499)
    expect(here()).toEqual(['here', 'here', 'here'])
    eviction.tick(500)
    expect(here()).toEqual(['gone', 'here', 'here'])
    eviction.tick(800)
    expect(here()).toEqual(['gone', 'gone', 'here'])
    expect(eviction.count).toBe(1)
  })

  it('leaves after its next use, before others that nobody has used yet', () => {
    const { eviction, one, two, here } = three()
    eviction.spent(one)
    eviction.spent(two)
    eviction.used(two, 200)
    eviction.tick(250)
    expect(here()).toEqual(['here', 'gone', 'here'])
  })

  it('stays where something has come that is to be done, until it is idle for long', () => {
    const { eviction, one, here } = three()
    one.leaves = false
    eviction.spent(one)
    eviction.spent(one)
    eviction.tick(500)
    eviction.tick(59_999)
    expect(here()).toEqual(['here', 'here', 'here'])
    eviction.tick(60_500)
    expect(here()).toEqual(['gone', 'gone', 'gone'])
    expect(eviction.count).toBe(0)
  })
})

describe('a tick', () => {
  const watched = (residentMax = 100) => {
    const wanted: number[] = []
    const eviction = new Eviction({ residentMax, idleMs: 60_000 }, (inMs) => wanted.push(inMs))
    return { eviction, wanted }
  }

  it('is due when the first resident has been idle for long', () => {
    const { eviction, wanted } = watched()
    expect(eviction.nextMs(0)).toBe(Number.POSITIVE_INFINITY)
    const [one] = [new Kept(eviction), new Kept(eviction)]
    eviction.used(one, 300)
    expect(eviction.nextMs(400)).toBe(60_000)
    eviction.tick(60_000)
    expect(eviction.nextMs(60_000)).toBe(60_300)
    expect(wanted).toEqual([])
  })

  it('is wanted for a resident for which nothing is left to do, and sooner after its use', () => {
    const { eviction, wanted } = watched()
    const [one] = [new Kept(eviction), new Kept(eviction)]
    eviction.spent(one)
    expect([eviction.nextMs(100), wanted]).toEqual([500, [500]])
    eviction.used(one, 200)
    expect([eviction.nextMs(200), wanted]).toEqual([200, [500, 0]])
    eviction.tick(250)
    expect([one.is, eviction.nextMs(250)]).toEqual(['gone', 60_000])
  })

  it('is due all the time while more are in memory than may be', () => {
    const { eviction } = watched(1)
    for (const _ of [1, 2]) eviction.add(busy(), 0)
    expect(eviction.nextMs(700)).toBe(700)
  })
})
