import { expect, it } from 'vitest'
import { WriteLimit } from '../../../src/persistence/cassandra/write-limit.ts'

/** Work that ends when the test says so. */
const started: string[] = []
const held = (name: string) => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  return { work: () => (started.push(name), promise), resolve, reject }
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('so many run at once, the others follow in order, one for each that ends', async () => {
  started.length = 0
  const limit = new WriteLimit(2)
  const works = ['a', 'b', 'c', 'd'].map(held)
  const runs = works.map(({ work }) => limit.run(work))
  await settled()
  expect(started).toEqual(['a', 'b'])
  works[1]?.resolve()
  await settled()
  expect(started).toEqual(['a', 'b', 'c'])
  for (const { resolve } of works) resolve()
  await Promise.all(runs)
  expect(started).toEqual(['a', 'b', 'c', 'd'])
})

it('a failure goes to its own caller and leaves its place to the next', async () => {
  started.length = 0
  const limit = new WriteLimit(1)
  const [failing, next] = [held('failing'), held('next')]
  const failed = limit.run(failing.work)
  const ran = limit.run(next.work)
  failing.reject(new Error('away'))
  await expect(failed).rejects.toThrow('away')
  next.resolve()
  await ran
  await limit.run(() => Promise.resolve())
  expect(started).toEqual(['failing', 'next'])
})
