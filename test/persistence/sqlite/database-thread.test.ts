import { describe, expect, it } from 'vitest'
import { DatabaseThread } from '../../../src/persistence/sqlite/database-thread.ts'
import { StoreFailure } from '../../../src/persistence/store-port.ts'

type Mortal = { echo(value: number): number; die(): number }

const open = (): Promise<DatabaseThread<Mortal>> =>
  DatabaseThread.open(new URL('parts/mortal-thread.ts', import.meta.url), 'no file')

describe('a database thread', () => {
  it('answers each of many callers with its own answer', async () => {
    const thread = await open()
    const numbers = Array.from({ length: 1_000 }, (_, index) => index)
    expect(await Promise.all(numbers.map((number) => thread.call('echo', number)))).toEqual(numbers)
    await thread[Symbol.asyncDispose]()
  })

  it('that dies leaves what was in flight with an unknown outcome, and comes back by itself', async () => {
    const thread = await open()
    await expect(thread.call('die')).rejects.toMatchObject({ outcome: 'unknown' })
    const answered = (): Promise<number | string> =>
      thread.call('echo', 7).catch((error: unknown) => (error instanceof StoreFailure ? 'away' : 'broken'))
    await expect.poll(answered, { timeout: 60_000 }).toBe(7)
    await thread[Symbol.asyncDispose]()
  })

  it('answers what can wait with the next call that cannot, and by itself where none comes', async () => {
    const thread = await open()
    const answered: number[] = []
    const later = async (value: number): Promise<void> => {
      answered.push(await thread.callLater('echo', value))
    }
    const waits = later(1)
    expect(await thread.call('echo', 2)).toBe(2)
    await waits
    for (const value of [3, 4]) await later(value)
    expect(answered).toEqual([1, 3, 4])
    const atTheEnd = later(5)
    await thread[Symbol.asyncDispose]()
    await atTheEnd
    await thread[Symbol.asyncDispose]()
  })

  it('refuses more callers than may wait', async () => {
    const thread = await open()
    const calls = Array.from({ length: 70_000 }, (_, index) => thread.call('echo', index))
    const outcomes = await Promise.allSettled(calls)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(70_000 - 65_536)
    expect(refused[0]?.reason).toMatchObject({ outcome: 'not-applied' })
    await thread[Symbol.asyncDispose]()
  })

  it('that died leaves nobody waiting when it is closed before it came back', async () => {
    const thread = await open()
    await expect(thread.call('die')).rejects.toMatchObject({ outcome: 'unknown' })
    const waits = thread.call('echo', 7).catch((error: unknown) => error)
    await thread[Symbol.asyncDispose]()
    expect(await waits).toMatchObject({ outcome: 'not-applied' })
  })

  it('answers nothing after it was closed', async () => {
    const thread = await open()
    await thread[Symbol.asyncDispose]()
    await thread[Symbol.asyncDispose]()
    await expect(thread.call('echo', 1)).rejects.toThrow('closed')
  })
})
