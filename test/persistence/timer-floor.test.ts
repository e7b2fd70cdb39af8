import { describe, expect, it } from 'vitest'
import type { TimerRow } from '../../src/ports/journal.ts'
import { TimerFloor } from '../../src/persistence/timer-floor.ts'
import { entry, timer } from './model-journal.ts'

const slot = (no: number, set: readonly TimerRow[], cleared: readonly TimerRow[] = []) => ({
  shard: 0,
  no,
  epoch: 1,
  batchId: 'one/1',
  record: { kind: 'batch' as const, entries: [entry(no, { set, cleared })] },
})

const nothing = (): Promise<readonly TimerRow[]> => Promise.resolve([])

describe('the floor of the timers', () => {
  it('rises to the earliest pending row, copied or not, at most to the horizon', async () => {
    const floor = new TimerFloor(0)
    await floor.raise(1_000, [], () => Promise.resolve([timer('a', 300)]))
    expect(floor.floorMs).toBe(300)
    await floor.raise(1_000, [timer('b', 400)], nothing)
    expect(floor.floorMs).toBe(400)
    await floor.raise(1_000, [], nothing)
    expect(floor.floorMs).toBe(1_000)
    await floor.raise(500, [], nothing)
    expect(floor.floorMs).toBe(1_000)
  })

  it('stays below a row that was set while the copies were read', async () => {
    const floor = new TimerFloor(0)
    await floor.raise(1_000, [], async () => {
      floor.add(slot(1, [timer('a', 200)]))
      return []
    })
    expect(floor.floorMs).toBe(200)
  })

  it('holds a row that is set below it, and its slot after the checkpoint, until it is done', () => {
    const floor = new TimerFloor(1_000)
    const [low, lower] = [timer('low', 900), timer('lower', 100)]
    floor.add(slot(5, [low, timer('high', 2_000)]))
    floor.add(slot(7, [lower]))
    expect(floor.held()).toEqual([low, lower])
    expect(floor.copiedUpTo(9)).toBe(4)
    floor.done([low])
    expect(floor.copiedUpTo(9)).toBe(6)
    floor.add(slot(8, [], [lower]))
    expect(floor.copiedUpTo(9)).toBe(9)
  })

  it('does not rise while it holds a row', async () => {
    const floor = new TimerFloor(1_000)
    floor.add(slot(5, [timer('low', 900)]))
    await floor.raise(5_000, [], nothing)
    expect(floor.floorMs).toBe(1_000)
  })

  it('lifts what moves to below it', () => {
    const floor = new TimerFloor(1_000)
    expect(floor.lift(timer('a', 10))).toEqual(timer('a', 1_000))
    expect(floor.lift(timer('a', 1_500))).toEqual(timer('a', 1_500))
  })
})
