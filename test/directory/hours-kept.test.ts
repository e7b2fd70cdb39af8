import { expect, it } from 'vitest'
import { HoursKept } from '../../src/directory/hours-kept.ts'

const HOUR_MS = 3_600_000

it('hours that are shown no more are let go every hour, also after one in which it failed', async () => {
  const forgotten: number[] = []
  let nowMs = 10_000 * HOUR_MS
  const slept: (() => void)[] = []
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      slept.push(() => {
        nowMs += ms
        resolve()
      })
      signal?.addEventListener('abort', () => reject(new Error('stopped')))
    })
  const forgetHours = async (before: number): Promise<void> => {
    forgotten.push(before)
    if (forgotten.length === 1) throw new Error('the file is busy')
  }
  await using kept = new HoursKept({ directory: { forgetHours }, runtime: { now: () => nowMs, sleep } })
  for (const hours of [1, 2, 3]) {
    await expect.poll(() => slept.length).toBe(hours)
    slept.at(-1)?.()
  }
  await expect.poll(() => forgotten.length).toBe(4)
  expect(forgotten).toEqual([0, 1, 2, 3].map((each) => 10_000 - 91 * 24 + each))
  await kept[Symbol.asyncDispose]()
})
