import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { within, withinBy } from '../../src/timing/within.ts'

const late = () => new Error('it took too long')

describe('work within a time limit', () => {
  it('has the outcome of the work when that comes in time', async () => {
    await expect(within(60_000, Promise.resolve('done'), late)).resolves.toBe('done')
    await expect(within(60_000, Promise.reject(new Error('failed')), late)).rejects.toThrow('failed')
  })

  it('is rejected when the work takes longer', async () => {
    await expect(within(5, new Promise(() => undefined), late)).rejects.toThrow('it took too long')
  })
})

describe('work within a time limit by a clock', () => {
  it('has the outcome of the work when that comes in time, and stops the clock', async () => {
    const signals: AbortSignal[] = []
    const sleep = (ms: number, signal: AbortSignal) => {
      signals.push(signal)
      return setTimeout(ms, undefined, { signal })
    }
    await expect(withinBy({ sleep }, 60_000, Promise.resolve('done'), () => 'late')).resolves.toBe('done')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('has another outcome when the work takes longer', async () => {
    const clock = { sleep: () => Promise.resolve() }
    const work = new Promise<string>(() => undefined)
    await expect(withinBy(clock, 5, work, () => 'late')).resolves.toBe('late')
    const fail = (): string => {
      throw late()
    }
    await expect(withinBy(clock, 5, work, fail)).rejects.toThrow('it took too long')
  })
})
