import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepMoved, type KeptMoved } from '../../../../src/persistence/sqlite/log-mover/keep-moved.ts'

describe('the keeper of a short write-ahead log', () => {
  let said: string[]
  let fails: boolean
  let release: (() => void) | null
  let kept: KeptMoved

  beforeEach(() => {
    vi.useFakeTimers()
    said = []
    fails = false
    release = null
    kept = keepMoved(async () => {
      said.push('open')
      return {
        move: async () => {
          said.push('move')
          if (fails) throw new Error('disk full')
          if (release !== null) await new Promise<void>((resolve) => (release = resolve))
        },
        [Symbol.asyncDispose]: async () => void said.push('close'),
      }
    })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('does nothing while the log is short', async () => {
    await vi.advanceTimersByTimeAsync(60_000)
    await kept[Symbol.asyncDispose]()
    expect(said).toEqual([])
  })

  it('has the log moved once however often it is said to be long, by a thread that it keeps', async () => {
    for (let times = 0; times < 5; times++) kept.isLong()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(said).toEqual(['open', 'move'])
    kept.isLong()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(said).toEqual(['open', 'move', 'move'])
  })

  it('goes on after a failure', async () => {
    fails = true
    kept.isLong()
    await vi.advanceTimersByTimeAsync(1_000)
    kept.isLong()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(said).toEqual(['open', 'move', 'move'])
  })

  it('closes the mover at once, which ends a move that is under way, and moves nothing afterwards', async () => {
    release = () => {}
    kept.isLong()
    await vi.advanceTimersByTimeAsync(1_000)
    await kept[Symbol.asyncDispose]()
    expect(said).toEqual(['open', 'move', 'close'])
    release()
    kept.isLong()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(said).toEqual(['open', 'move', 'close'])
  })

  it('closes a mover that was being opened without a move', async () => {
    kept.isLong()
    vi.advanceTimersByTime(1_000)
    await kept[Symbol.asyncDispose]()
    expect(said).toEqual(['open', 'close'])
  })
})
