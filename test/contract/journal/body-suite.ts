import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BodyStore } from '../../../src/ports/bodies.ts'
import { uniqueText } from './parts/slots.ts'

export type BodiesUnderTest = AsyncDisposable & { readonly bodies: BodyStore }

export const describeBodies = (engine: string, open: () => Promise<BodiesUnderTest>): void => {
  let subject: BodiesUnderTest
  const body = (text: string): Uint8Array => new TextEncoder().encode(text)
  const inAnHour = (): number => Date.now() + 3_600_000
  const textOf = async (id: string): Promise<string | null> => {
    const found = await subject.bodies.get(id)
    return found === null ? null : new TextDecoder().decode(found)
  }

  describe(`bodies on ${engine}`, () => {
    beforeAll(async () => {
      subject = await open()
    })
    afterAll(async () => subject[Symbol.asyncDispose]())

    it('are kept byte for byte until they are replaced or deleted', async () => {
      const { bodies } = subject
      const id = uniqueText()
      expect(await textOf(id)).toBeNull()
      await bodies.put(id, body('sealed'), inAnHour())
      expect(await textOf(id)).toBe('sealed')
      await bodies.put(id, body('sealed anew'), inAnHour())
      expect(await textOf(id)).toBe('sealed anew')
      await bodies.delete(id)
      await bodies.delete(id)
      expect(await textOf(id)).toBeNull()
    })

    it('may be as large as a message may be', async () => {
      const id = uniqueText()
      const large = new Uint8Array(2 * 1_024 * 1_024).map((_, index) => index % 251)
      await subject.bodies.put(id, large, inAnHour())
      expect(Buffer.compare(Buffer.from((await subject.bodies.get(id)) ?? []), Buffer.from(large))).toBe(0)
    })

    it('are gone when their time is over', async () => {
      const [over, soon] = [uniqueText(), uniqueText()]
      await subject.bodies.put(over, body('x'), Date.now() - 1)
      expect(await textOf(over)).toBeNull()
      await subject.bodies.put(soon, body('x'), Date.now() + 1_000)
      await expect.poll(() => textOf(soon), { timeout: 60_000 }).toBeNull()
    })
  })
}
