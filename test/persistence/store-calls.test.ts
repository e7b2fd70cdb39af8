import { describe, expect, it } from 'vitest'
import { StoreCalls, RepeatedCall } from '../../src/persistence/store-calls.ts'
import { StoreFailure } from '../../src/persistence/store-port.ts'
import { ModelJournal } from './model-journal.ts'

const settings = { attemptTimeoutMs: 1_000, retryFirstMs: 100, retryMaxMs: 400 }

const begin = () => {
  const model = new ModelJournal()
  const closed = new AbortController()
  const { runtime } = model.process('one')
  return { model, runtime, closed, calls: new StoreCalls(runtime, settings, closed.signal) }
}

const never = <Answer>(): Promise<Answer> => new Promise(() => {})

describe('one attempt', () => {
  it('has an unknown outcome when there is no answer in time', async () => {
    const { model, runtime, calls } = begin()
    const failed = calls.once(never).catch((error: unknown) => error)
    expect(await model.settle(failed)).toMatchObject({ name: 'StoreFailure', outcome: 'unknown' })
    expect(runtime.monotonicMs()).toBeGreaterThanOrEqual(1_000)
    expect(runtime.monotonicMs()).toBeLessThan(3_000)
  })

  it('does not shorten the time of those that begin later', async () => {
    const { model, runtime, calls } = begin()
    const first = calls.once(never).catch(() => runtime.monotonicMs())
    await model.pass(600)
    const second = calls.once(never).catch(() => runtime.monotonicMs())
    await model.settle(first)
    expect(await model.settle(second)).toBeGreaterThanOrEqual(1_600)
  })

  it('passes answers and failures on', async () => {
    const { calls } = begin()
    expect(await calls.once(() => Promise.resolve(7))).toBe(7)
    await expect(calls.once(() => Promise.reject(new RangeError('bad')))).rejects.toThrow('bad')
  })
})

describe('calls repeated until there is an answer', () => {
  it('go on after every failure of the store, further and further apart', async () => {
    const { model, runtime, calls } = begin()
    const times: number[] = []
    const call = (): Promise<string> => {
      times.push(runtime.monotonicMs())
      return times.length < 6
        ? Promise.reject(new StoreFailure('not-applied', 'away'))
        : Promise.resolve('there')
    }
    const answer = calls.untilAnswered(new AbortController().signal, call)
    expect(await model.settle(answer)).toBe('there')
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(gaps[4]).toBeGreaterThanOrEqual(200)
    expect(Math.max(...gaps)).toBeLessThan(1_000)
  })

  it('end with what is no failure of the store', async () => {
    const { calls } = begin()
    const call = (): Promise<void> => Promise.reject(new RangeError('bad'))
    await expect(calls.untilAnswered(new AbortController().signal, call)).rejects.toThrow('bad')
  })

  it('end with the reason of their signal', async () => {
    const { model, calls } = begin()
    const stop = new AbortController()
    const away = (): Promise<void> => Promise.reject(new StoreFailure('not-applied', 'away'))
    const answer = calls.untilAnswered(stop.signal, away).catch((error: unknown) => error)
    await model.pass(2_000)
    stop.abort(new Error('enough'))
    expect(await model.settle(answer)).toMatchObject({ message: 'enough' })
  })
})

describe('calls whose answers go to the same place', () => {
  const steady = () => {
    const { model, calls } = begin()
    const heard: string[] = []
    const attempt = new RepeatedCall<string>(
      calls,
      (answer) => heard.push(answer),
      (error) => heard.push(error instanceof StoreFailure ? error.outcome : error.message),
    )
    return { model, calls, attempt, heard }
  }

  it('are made one after the other, answered or failed', async () => {
    const { model, attempt, heard } = steady()
    for (const answer of [
      Promise.resolve('one'),
      Promise.reject(new RangeError('bad')),
      Promise.resolve('two'),
    ]) {
      attempt.await(answer)
      await model.pass(600)
    }
    await model.pass(5_000)
    expect(heard).toEqual(['one', 'bad', 'two'])
    expect(attempt.isSpent).toBe(false)
  })

  it('fail in time, and what is answered after that is not heard', async () => {
    const { model, calls, attempt, heard } = steady()
    const late = Promise.withResolvers<string>()
    attempt.await(late.promise)
    const other = calls.once(never).catch(() => heard.push('other'))
    await model.pass(3_000)
    await other
    expect(heard).toEqual(['unknown', 'other'])
    expect(attempt.isSpent).toBe(true)
    late.resolve('late')
    await model.pass(10)
    expect(heard).toEqual(['unknown', 'other'])
  })
})
