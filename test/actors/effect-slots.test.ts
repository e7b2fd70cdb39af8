import { describe, expect, it } from 'vitest'
import { EffectSlots } from '../../src/actors/effect-slots.ts'

describe('slots for effects', () => {
  it('begin as many as may run and keep the order of the others', () => {
    const slots = new EffectSlots({ effectsAtOnceMax: 2, effectsQueuedMax: 10 })
    const begun: number[] = []
    for (const index of [0, 1, 2, 3]) slots.enter('pay', () => begun.push(index))
    expect(begun).toEqual([0, 1])
    slots.leave('pay')
    expect(begun).toEqual([0, 1, 2])
    slots.leave('pay')
    slots.leave('pay')
    slots.leave('pay')
    slots.enter('pay', () => begun.push(4))
    slots.enter('pay', () => begun.push(5))
    expect(begun).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('count each kind for itself', () => {
    const slots = new EffectSlots({ effectsAtOnceMax: 1, effectsQueuedMax: 1 })
    const begun: string[] = []
    for (const kind of ['pay', 'send']) slots.enter(kind, () => begun.push(kind))
    expect(begun).toEqual(['pay', 'send'])
  })

  it('let no more wait than may', () => {
    const slots = new EffectSlots({ effectsAtOnceMax: 1, effectsQueuedMax: 2 })
    const entered = [0, 1, 2, 3].map(() => slots.enter('pay', () => undefined))
    expect(entered).toEqual([true, true, true, false])
  })

  it('stay small after many have passed', () => {
    const slots = new EffectSlots({ effectsAtOnceMax: 1, effectsQueuedMax: 5_000 })
    let begun = 0
    for (let index = 0; index < 5_000; index++) slots.enter('pay', () => begun++)
    for (let index = 0; index < 5_000; index++) slots.leave('pay')
    expect(begun).toBe(5_000)
  })

  it('as a gate of one kind, let in as many as fit and tell the others when to come again', () => {
    const slots = new EffectSlots({ effectsAtOnceMax: 1, effectsQueuedMax: 1 })
    const begun: number[] = []
    const gate = slots.gate('pay')
    const answers = [0, 1, 2].map((index) => gate.enter(() => begun.push(index)))
    expect(answers).toEqual([null, null, 5_000])
    gate.leave()
    expect(begun).toEqual([0, 1])
  })
})
