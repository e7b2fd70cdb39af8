import { describe, expect, it } from 'vitest'
import {
  type EffectLimits,
  EffectSlots,
  type EffectTurn,
  HeldBack,
  RecipientCrowded,
} from '../../src/host/effect-slots.ts'

const slotsOf = (limits: Partial<EffectLimits> = {}) => {
  const slots = new EffectSlots({
    effectsAtOnceMax: 64,
    effectsPerRecipientMax: 8,
    effectsSlowMax: 256,
    effectsQueuedMax: 10_000,
    ...limits,
  })
  const begun: string[] = []
  const running: EffectTurn[] = []
  const enter = (lane: string, name = lane, kind = 'pay'): number | null => {
    const turn = slots.turn(kind, lane)
    return turn.enter(() => {
      begun.push(name)
      running.push(turn)
    })
  }
  return { slots, begun, running, enter, leave: () => running.shift()?.leave() }
}

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index))

describe('slots for effects', () => {
  it('begin as many as may run and keep the order of a lane', () => {
    const { begun, enter, leave } = slotsOf({ effectsAtOnceMax: 2 })
    for (const name of ['1', '2', '3', '4']) enter('a', name)
    expect(begun).toEqual(['1', '2'])
    leave()
    expect(begun).toEqual(['1', '2', '3'])
    times(3, leave)
    for (const name of ['5', '6']) enter('a', name)
    expect(begun).toEqual(['1', '2', '3', '4', '5', '6'])
  })

  it('count each kind for itself', () => {
    const { begun, enter } = slotsOf({ effectsAtOnceMax: 1 })
    enter('a', 'a pays', 'pay')
    enter('a', 'a sends', 'send')
    expect(begun).toEqual(['a pays', 'a sends'])
  })

  it('are all had by one lane while no other waits', () => {
    const { begun, enter } = slotsOf()
    times(100, () => enter('a'))
    expect(begun).toHaveLength(64)
  })

  it('come to another lane at its next turn, behind whatever waits in the first', () => {
    const { begun, enter, leave } = slotsOf()
    times(1_000, () => enter('a'))
    enter('b')
    leave()
    expect(begun.at(-1)).toBe('b')
  })

  it('go round among the lanes', () => {
    const { begun, enter, leave } = slotsOf({ effectsAtOnceMax: 1 })
    for (const lane of ['a', 'a', 'a', 'b', 'b', 'c']) enter(lane)
    times(5, leave)
    expect(begun).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
  })

  it('go to lanes below their quarter first', () => {
    const { begun, enter, leave } = slotsOf({ effectsAtOnceMax: 16 })
    times(100, () => enter('a'))
    times(100, () => enter('b'))
    times(4, leave)
    expect(begun.slice(16)).toEqual(['b', 'b', 'b', 'b'])
    times(40, leave)
    expect(begun.filter((lane) => lane === 'b').length).toBeGreaterThan(15)
  })

  it('starve nobody, whatever the order in which runs end', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    let random = seed
    const below = (max: number): number => {
      random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0
      return Math.floor((random / 2 ** 32) * max)
    }
    const { slots, begun, running, enter } = slotsOf({ effectsAtOnceMax: 8, effectsPerRecipientMax: 2 })
    const runs = 3_000
    let resumed = 0
    let waited = 0
    for (let index = 0; index < runs; index++) enter(below(2) === 0 ? 'a' : `lane ${below(20)}`)
    for (let step = 0; step < 10 * runs && slots.lanes > 0; step++) {
      const [turn] = running.splice(below(running.length), 1)
      const turnOf = below(2) === 0 ? (turn?.forward(`host ${below(5)}`) ?? null) : null
      if (turnOf === null) turn?.leave()
      else {
        waited++
        void turnOf.then(() => {
          resumed++
          turn?.leave()
        })
      }
      await Promise.resolve()
    }
    expect([begun.length, resumed, slots.lanes], `seed ${seed}`).toEqual([runs, waited, 0])
  })

  it('let as much wait in one lane as there is room left for the others', () => {
    const { enter } = slotsOf({ effectsAtOnceMax: 1, effectsQueuedMax: 4 })
    enter('a')
    expect(times(4, () => enter('a'))).toEqual([null, null, 5_000, 5_000])
    expect(times(2, () => enter('b'))).toEqual([null, 5_000])
    expect(enter('c')).toBe(null)
    expect(enter('d')).toBe(5_000)
  })

  it('forget a lane that is empty', () => {
    const { slots, enter, leave, begun } = slotsOf({ effectsAtOnceMax: 2 })
    times(1_000, (index) => enter(`lane ${index}`))
    expect(slots.lanes).toBe(1_000)
    times(1_000, leave)
    expect(begun).toHaveLength(1_000)
    expect(slots.lanes).toBe(0)
  })
})

describe('the slots of one recipient', () => {
  it('are few, so that one that hangs leaves the others theirs', async () => {
    const { begun, enter, running } = slotsOf()
    times(70, () => enter('ten'))
    const hanging = [...running]
    const waits = hanging.map((turn) => turn.forward('hangs'))
    expect(waits.filter((wait) => wait === null)).toHaveLength(8)
    expect(begun).toHaveLength(70)
    times(50, () => enter('other', 'honest'))
    expect(begun.filter((name) => name === 'honest')).toHaveLength(50)
  })

  it('are handed on in the order in which the runs came, each resuming where it waited', async () => {
    const { slots, enter, running } = slotsOf({ effectsPerRecipientMax: 1 })
    times(4, () => enter('ten'))
    const turns = [...running]
    const resumed: number[] = []
    const waits = turns.map((turn, index) => turn.forward('wallet')?.then(() => resumed.push(index)))
    for (const [index, turn] of turns.entries()) {
      await waits[index]
      turn.leave()
    }
    expect(resumed).toEqual([1, 2, 3])
    expect(slots.lanes).toBe(0)
  })

  it('stay with a run that is sent to the same recipient twice', () => {
    const { running, enter, slots, leave } = slotsOf({ effectsPerRecipientMax: 1 })
    enter('ten')
    expect(running[0]?.forward('wallet')).toBe(null)
    expect(running[0]?.forward('wallet')).toBe(null)
    leave()
    expect(slots.lanes).toBe(0)
  })

  it('refuse a run when too many wait; it gives its slot back like any other', () => {
    const { slots, running, enter, begun } = slotsOf({ effectsPerRecipientMax: 1, effectsQueuedMax: 2 })
    times(3, () => enter('ten'))
    const [first, second, third] = running
    void first?.forward('wallet')
    void second?.forward('wallet')
    expect(() => third?.forward('wallet')).toThrow(RecipientCrowded)
    expect(new RecipientCrowded()).toBeInstanceOf(HeldBack)
    for (const turn of [third, first, second]) turn?.leave()
    expect(slots.lanes).toBe(0)
    times(64, () => enter('ten'))
    expect(begun).toHaveLength(67)
  })

  it('go to whoever waits once they were held for a second, however many recipients hang', () => {
    const { slots, running, enter, begun, leave } = slotsOf({ effectsSlowMax: 60 })
    slots.tick(10_000)
    times(64, () => enter('ten'))
    for (const [index, turn] of running.entries()) expect(turn.forward(`hangs ${index % 8}`)).toBe(null)
    times(61, () => enter('other', 'honest'))
    slots.tick(10_999)
    expect(begun).not.toContain('honest')
    slots.tick(11_000)
    expect(begun.filter((name) => name === 'honest')).toHaveLength(60)
    times(125, leave)
    expect(slots.lanes).toBe(0)
    times(100, () => enter('ten', 'later'))
    expect(begun.filter((name) => name === 'later')).toHaveLength(64)
  })

  it('are no more when they were held for long', () => {
    const { slots, running, enter } = slotsOf({ effectsAtOnceMax: 2, effectsPerRecipientMax: 1 })
    slots.tick(10_000)
    times(3, () => enter('ten'))
    expect(running[0]?.forward('hangs')).toBe(null)
    slots.tick(11_000)
    expect(running).toHaveLength(3)
    expect(running[1]?.forward('hangs')).not.toBe(null)
  })
})
