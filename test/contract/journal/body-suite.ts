import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BodyStore } from '../../../src/ports/bodies.ts'
import { uniqueText } from './parts/slots.ts'

export type BodiesUnderTest = AsyncDisposable & {
  readonly bodies: BodyStore
  /** The same store after a stop and a start. */
  readonly reopen: () => Promise<BodiesUnderTest>
  /** Everything that the engine has on the disk; null where it lets go of bytes at its own time. */
  readonly bytes: (() => string) | null
}

export const describeBodies = (engine: string, open: () => Promise<BodiesUnderTest>): void => {
  let subject: BodiesUnderTest
  const inAnHour = (): number => Date.now() + 3_600_000

  describe(`bodies on ${engine}`, () => {
    beforeAll(async () => {
      subject = await open()
    })
    afterAll(async () => subject[Symbol.asyncDispose]())

    it('are kept character for character until they are deleted', async () => {
      const { bodies } = subject
      const [record, id] = [uniqueText(), uniqueText()]
      expect(await bodies.get(record, id)).toBeNull()
      await bodies.put(record, id, 'sealed', inAnHour())
      expect(await bodies.get(record, id)).toBe('sealed')
      expect(await bodies.get(uniqueText(), id)).toBeNull()
      await bodies.delete(record, id)
      await bodies.delete(record, id)
      expect(await bodies.get(record, id)).toBeNull()
    })

    it('may be as large as a message may be', async () => {
      const [record, id] = [uniqueText(), uniqueText()]
      const large = Array.from({ length: 2_800_000 }, (_, index) => (index % 36).toString(36)).join('')
      await subject.bodies.put(record, id, large, inAnHour())
      expect((await subject.bodies.get(record, id)) === large).toBe(true)
      await subject.bodies.keepOnly(record, [])
      expect(await subject.bodies.get(record, id)).toBeNull()
    })

    it('go all at once but those that are kept, and those of other records stay', async () => {
      const { bodies } = subject
      const [record, other] = [uniqueText(), uniqueText()]
      const ids = ['a', 'b', 'c', 'd', 'e']
      const there = async (of: string) => {
        const found = await Promise.all(ids.map((id) => bodies.get(of, id)))
        return ids.filter((_, index) => found[index] !== null)
      }
      await Promise.all([record, other].flatMap((of) => ids.map((id) => bodies.put(of, id, id, inAnHour()))))
      await bodies.keepOnly(record, ['d', 'b'])
      expect(await there(record)).toEqual(['b', 'd'])
      await bodies.keepOnly(record, ['d'])
      await bodies.keepOnly(record, ['d'])
      expect(await there(record)).toEqual(['d'])
      await bodies.keepOnly(record, [])
      expect(await there(record)).toEqual([])
      expect(await there(other)).toEqual(ids)
    })

    it('go one after the other while others come to their record', async () => {
      const { bodies } = subject
      const record = uniqueText()
      for (const id of ['a', 'b', 'c']) await bodies.put(record, id, id, inAnHour())
      await bodies.deleteOthers(record, () => ['b', 'd'])
      await bodies.deleteOthers(record, () => ['b', 'd'])
      await bodies.deleteOthers(record, () => null)
      // Named, and put after that; and one that was not named yet.
      for (const id of ['d', 'e']) await bodies.put(record, id, id, inAnHour())
      subject = await subject.reopen()
      const ids = ['a', 'b', 'c', 'd', 'e']
      const found = await Promise.all(ids.map((id) => subject.bodies.get(record, id)))
      expect(found).toEqual([null, 'b', null, 'd', 'e'])
    })

    it('are gone when their time is over', async () => {
      const [record, over, soon] = [uniqueText(), uniqueText(), uniqueText()]
      await subject.bodies.put(record, over, 'x', Date.now() - 1)
      expect(await subject.bodies.get(record, over)).toBeNull()
      await subject.bodies.put(record, soon, 'x', Date.now() + 1_000)
      await expect.poll(() => subject.bodies.get(record, soon), { timeout: 60_000 }).toBeNull()
    })

    it('are there after a start, and what was deleted is not', async () => {
      const [record, kept, gone] = [uniqueText(), uniqueText(), uniqueText()]
      await Promise.all([kept, gone].map((id) => subject.bodies.put(record, id, id, inAnHour())))
      await subject.bodies.keepOnly(record, [kept])
      subject = await subject.reopen()
      expect(await subject.bodies.get(record, kept)).toBe(kept)
      expect(await subject.bodies.get(record, gone)).toBeNull()
    })

    it('are in no file one second after they are deleted, at the peak of load as well', async () => {
      const { bodies, bytes } = subject
      if (bytes === null) return
      const marked = (record: string): string => `MARK${record}MARK`.repeat(400)
      const records = Array.from({ length: 300 }, uniqueText)
      const written = Promise.all(
        records.map(async (record, index) => {
          await bodies.put(record, 'body', marked(record), inAnHour())
          if (index % 2 === 0) void bodies.keepOnly(record, [])
        }),
      )
      await written
      await setTimeout(1_000)
      const found = bytes()
      const isThere = records.map((record) => found.includes(`MARK${record}MARK`))
      expect(isThere).toEqual(records.map((_, index) => index % 2 === 1))
    })
  })
}
