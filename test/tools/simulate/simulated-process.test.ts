import { describe, expect, it } from 'vitest'
import { Random } from '../../../tools/simulate/random.ts'
import { SimulatedProcess } from '../../../tools/simulate/simulated-process.ts'
import { World } from '../../../tools/simulate/world.ts'

/** How late a sleep ends at most on a busy machine. */
const LATE_MS = 400

const begin = () => {
  const world = new World(new Random(1), false)
  const process = new SimulatedProcess(world, 'n1', { wallOffsetMs: 0, monotonicRate: 1 }, 0, () => undefined)
  const suspendAt = (atMs: number, ms: number): unknown => world.at(atMs, null, () => process.suspend(ms))
  /** When a sleep that begins at once is over. */
  const sleptUntil = async (ms: number): Promise<number> => {
    let endedMs = Number.NaN
    void process.runtime.sleep(ms).then(() => {
      endedMs = world.nowMs
    })
    await world.run(1_000_000, () => false)
    return endedMs
  }
  return { world, process, suspendAt, sleptUntil }
}

const expectAbout = (ms: number, aboutMs: number): void => {
  expect(ms).toBeGreaterThanOrEqual(aboutMs)
  expect(ms).toBeLessThanOrEqual(aboutMs + LATE_MS)
}

describe('a simulated machine that is suspended', () => {
  it('sleeps on for what was left when it was suspended, and no longer', async () => {
    const { suspendAt, sleptUntil } = begin()
    suspendAt(1_000, 10_000)
    expectAbout(await sleptUntil(3_000), 13_000)
  })

  it('sleeps on also where it is suspended again before its sleep is over', async () => {
    const { suspendAt, sleptUntil } = begin()
    suspendAt(1_000, 10_000)
    suspendAt(12_000, 10_000)
    expectAbout(await sleptUntil(3_000), 23_000)
  })

  it('has a clock that stands still once for what it is suspended twice', async () => {
    const { world, process, suspendAt, sleptUntil } = begin()
    suspendAt(1_000, 10_000)
    suspendAt(9_000, 10_000)
    suspendAt(9_500, 1_000)
    expectAbout(await sleptUntil(30_000), 48_000)
    expect(world.nowMs - process.runtime.monotonicMs()).toBe(18_000)
  })
})
