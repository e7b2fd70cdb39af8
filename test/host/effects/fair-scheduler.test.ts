import { describe, expect, it } from 'vitest'
import { FairScheduler, type EffectRun } from '../../../src/host/effects/fair-scheduler.ts'
import type { EffectLimits } from '../../../src/host/effects/kind-scheduler.ts'
import { EffectNotBegun, RecipientBusy } from '../../../src/host/effects/not-begun.ts'

const schedulerOf = (limits: Partial<EffectLimits> = {}) => {
  const scheduler = new FairScheduler({
    effectsAtOnceMax: 64,
    effectsPerRecipientMax: 8,
    effectsSlowMax: 256,
    effectsQueuedMax: 10_000,
    ...limits,
  })
  const begun: string[] = []
  const running: EffectRun[] = []
  const enter = (group: string, name = group, kind = 'pay'): number | null => {
    const run = scheduler.newRun(kind, group)
    return run.enter(() => {
      begun.push(name)
      running.push(run)
    })
  }
  return { scheduler, begun, running, enter, leave: () => running.shift()?.leave() }
}

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index))

describe('slots for effects', () => {
  it('begin as many as may run and keep the order of a group', () => {
    const { begun, enter, leave } = schedulerOf({ effectsAtOnceMax: 2 })
    for (const name of ['1', '2', '3', '4']) enter('a', name)
    expect(begun).toEqual(['1', '2'])
    leave()
    expect(begun).toEqual(['1', '2', '3'])
    times(3, leave)
    for (const name of ['5', '6']) enter('a', name)
    expect(begun).toEqual(['1', '2', '3', '4', '5', '6'])
  })

  it('count each kind for itself', () => {
    const { begun, enter } = schedulerOf({ effectsAtOnceMax: 1 })
    enter('a', 'a pays', 'pay')
    enter('a', 'a sends', 'send')
    expect(begun).toEqual(['a pays', 'a sends'])
  })

  it('are had by one group but for a quarter, which another finds at once', () => {
    const { begun, enter } = schedulerOf()
    times(100, () => enter('a'))
    expect(begun).toHaveLength(48)
    times(100, () => enter('b'))
    expect(begun.slice(48)).toEqual(times(16, () => 'b'))
  })

  it('come to another group at its next turn, behind whatever waits in the first', () => {
    const { begun, enter, leave } = schedulerOf()
    times(1_000, () => enter('a'))
    times(1_000, () => enter('c'))
    enter('b')
    leave()
    expect(begun.at(-1)).toBe('b')
  })

  it('go round among the groups', () => {
    const { begun, enter, leave } = schedulerOf({ effectsAtOnceMax: 1 })
    for (const group of ['a', 'a', 'a', 'b', 'b', 'c']) enter(group)
    times(5, leave)
    expect(begun).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
  })

  it('go to groups below their quarter first', () => {
    const { begun, enter, leave } = schedulerOf({ effectsAtOnceMax: 16 })
    times(100, () => enter('a'))
    times(4, () => enter('c'))
    times(100, () => enter('b'))
    times(4, leave)
    expect(begun.slice(16)).toEqual(['b', 'b', 'b', 'b'])
    times(40, leave)
    expect(begun.filter((group) => group === 'b').length).toBeGreaterThan(15)
  })

  it('starve nobody, whatever the order in which runs end', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    let random = seed
    const below = (max: number): number => {
      random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0
      return Math.floor((random / 2 ** 32) * max)
    }
    const { scheduler, begun, running, enter } = schedulerOf({
      effectsAtOnceMax: 8,
      effectsPerRecipientMax: 2,
    })
    const runs = 3_000
    let resumed = 0
    let waited = 0
    for (let index = 0; index < runs; index++) enter(below(2) === 0 ? 'a' : `group ${below(20)}`)
    for (let step = 0; step < 10 * runs && scheduler.groups > 0; step++) {
      const [run] = running.splice(below(running.length), 1)
      const slot = below(2) === 0 ? (run?.forward(`host ${below(5)}`) ?? null) : null
      if (slot === null) run?.leave()
      else {
        waited++
        void slot.then(() => {
          resumed++
          run?.leave()
        })
      }
      await Promise.resolve()
    }
    expect([begun.length, resumed, scheduler.groups], `seed ${seed}`).toEqual([runs, waited, 0])
  })

  it('let as much wait in one group as there is room left for the others', () => {
    const { enter } = schedulerOf({ effectsAtOnceMax: 1, effectsQueuedMax: 4 })
    enter('a')
    expect(times(4, () => enter('a'))).toEqual([null, null, 5_000, 5_000])
    expect(times(2, () => enter('b'))).toEqual([null, 5_000])
    expect(enter('c')).toBe(null)
    expect(enter('d')).toBe(5_000)
  })

  it('forget a group that is empty', () => {
    const { scheduler, enter, leave, begun } = schedulerOf({ effectsAtOnceMax: 2 })
    times(1_000, (index) => enter(`group ${index}`))
    expect(scheduler.groups).toBe(1_000)
    times(1_000, leave)
    expect(begun).toHaveLength(1_000)
    expect(scheduler.groups).toBe(0)
  })
})

describe('the slots of one recipient', () => {
  it('are few, so that one that hangs leaves the others theirs', async () => {
    const { begun, enter, running } = schedulerOf()
    times(70, () => enter('ten'))
    const hanging = [...running]
    const waits = hanging.map((run) => run.forward('hangs'))
    expect(waits.filter((wait) => wait === null)).toHaveLength(8)
    expect(begun).toHaveLength(70)
    times(30, () => enter('other', 'honest'))
    expect(begun.filter((name) => name === 'honest')).toHaveLength(30)
  })

  it('are handed on in the order in which the runs came, each resuming where it waited', async () => {
    const { scheduler, enter, running } = schedulerOf({ effectsPerRecipientMax: 1 })
    times(4, () => enter('ten'))
    const runs = [...running]
    const resumed: number[] = []
    const waits = runs.map((run, index) => run.forward('wallet')?.then(() => resumed.push(index)))
    for (const [index, run] of runs.entries()) {
      await waits[index]
      run.leave()
    }
    expect(resumed).toEqual([1, 2, 3])
    expect(scheduler.groups).toBe(0)
  })

  it('stay with a run that is sent to the same recipient twice', () => {
    const { running, enter, scheduler, leave } = schedulerOf({ effectsPerRecipientMax: 1 })
    enter('ten')
    expect(running[0]?.forward('wallet')).toBe(null)
    expect(running[0]?.forward('wallet')).toBe(null)
    leave()
    expect(scheduler.groups).toBe(0)
  })

  it('refuse a run when too many wait; it gives its slot back like any other', () => {
    const { scheduler, running, enter, begun } = schedulerOf({
      effectsPerRecipientMax: 1,
      effectsQueuedMax: 2,
    })
    times(3, () => enter('ten'))
    const [first, second, third] = running
    void first?.forward('wallet')
    void second?.forward('wallet')
    expect(() => third?.forward('wallet')).toThrow(RecipientBusy)
    expect(new RecipientBusy(5_000)).toBeInstanceOf(EffectNotBegun)
    for (const run of [third, first, second]) run?.leave()
    expect(scheduler.groups).toBe(0)
    times(48, () => enter('ten'))
    expect(begun).toHaveLength(51)
  })

  it('go to whoever waits once they were held for a second, however many recipients hang', () => {
    const { scheduler, running, enter, begun, leave } = schedulerOf({ effectsSlowMax: 60 })
    scheduler.tick(10_000)
    times(64, (index) => enter(`ten ${index % 2}`, 'hangs'))
    for (const [index, run] of running.entries()) expect(run.forward(`hangs ${index % 8}`)).toBe(null)
    times(61, (index) => enter(`other ${index % 2}`, 'honest'))
    scheduler.tick(10_999)
    expect(begun).not.toContain('honest')
    scheduler.tick(11_000)
    expect(begun.filter((name) => name === 'honest')).toHaveLength(60)
    times(125, leave)
    expect(scheduler.groups).toBe(0)
    times(100, (index) => enter(`ten ${index % 2}`, 'later'))
    expect(begun.filter((name) => name === 'later')).toHaveLength(64)
  })

  it('are no more when they were held for long', () => {
    const { scheduler, running, enter } = schedulerOf({ effectsAtOnceMax: 2, effectsPerRecipientMax: 1 })
    scheduler.tick(10_000)
    times(3, () => enter('ten'))
    expect(running[0]?.forward('hangs')).toBe(null)
    scheduler.tick(11_000)
    expect(running).toHaveLength(3)
    expect(running[1]?.forward('hangs')).not.toBe(null)
  })
})

describe('the hosts of two organisations', () => {
  it('have their turns organisation by organisation, however many hosts one of them writes to', () => {
    const { enter, running, scheduler } = schedulerOf({ effectsAtOnceMax: 8, effectsPerRecipientMax: 1 })
    const order: string[] = []
    const send = (tenant: string, host: string): void => {
      enter(tenant)
      const run = running.pop()
      const turn = run?.forward(host) ?? null
      const end = (): void => {
        order.push(tenant)
        run?.leave()
      }
      if (turn !== null) void turn.then(end)
      else hold.push(end)
    }
    const hold: (() => void)[] = []
    for (let index = 0; index < 20; index++) send('a', 'shared.example')
    send('b', 'shared.example')
    hold.shift()?.()
    return expect
      .poll(() => scheduler.groups)
      .toBe(0)
      .then(() => expect(order.indexOf('b')).toBeLessThan(3))
  })

  it('never all hang at the cost of one who comes later', () => {
    const { begun, enter, running } = schedulerOf()
    times(64, () => enter('ten'))
    for (const [index, run] of [...running].entries()) void run.forward(`hangs ${index}`)
    times(10, () => enter('other', 'honest'))
    expect(begun.filter((name) => name === 'honest')).toHaveLength(10)
  })
})

describe('a host that let four messages hang', () => {
  const hung = (limits: Partial<EffectLimits> = {}) => {
    const world = schedulerOf(limits)
    const { scheduler, enter, running } = world
    scheduler.tick(10_000)
    times(4, () => enter('ten'))
    for (const run of running) expect(run.forward('hangs')).toBe(null)
    scheduler.tick(20_000)
    for (const run of running.splice(0)) run.leave(true)
    return world
  }

  it('has one slot for messages of any kind until one gets through, then all of them', async () => {
    const { enter, running } = hung()
    times(3, () => enter('other', 'offer', 'offer'))
    const [first, second, third] = running
    expect(first?.forward('hangs')).toBe(null)
    const waiting = [second, third].flatMap((run) => run?.forward('hangs') ?? [])
    expect(waiting).toHaveLength(2)
    first?.leave()
    await Promise.all(waiting)
  })

  it('has few waiting for it; the others come again at its pace, within a minute', () => {
    const { enter, running } = hung()
    const turns = times(200, () => {
      enter('ten')
      const run = running.pop()
      try {
        return run?.forward('hangs') ?? null
      } catch (error) {
        run?.leave()
        return error
      }
    })
    expect(turns.filter((turn) => turn instanceof Promise)).toHaveLength(8)
    const pauses = turns.flatMap((turn) => (turn instanceof RecipientBusy ? [turn.againInMs] : []))
    expect(pauses).toHaveLength(191)
    expect([pauses[0], pauses.at(-1)]).toEqual([5_000, 60_000])
  })

  it('is as before when it refuses at once', () => {
    const { scheduler, enter, running } = schedulerOf()
    scheduler.tick(10_000)
    for (let index = 0; index < 10; index++) {
      enter('ten')
      const run = running.pop()
      expect(run?.forward('refuses')).toBe(null)
      run?.leave(true)
    }
    times(8, () => enter('ten'))
    expect(running.map((run) => run.forward('refuses'))).toEqual(times(8, () => null))
  })
})
