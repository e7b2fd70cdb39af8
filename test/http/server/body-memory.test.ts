import { describe, expect, it } from 'vitest'
import { BodyMemory } from '../../../src/http/server/body-memory.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)

describe('the memory for bodies', () => {
  it('puts a body together from copies of its chunks', () => {
    const memory = new BodyMemory(100)
    const body = memory.claim(10, null)
    const chunk = bytes('abc')
    expect(body.add(chunk)).toBe('taken')
    chunk.fill(0)
    expect(body.add(bytes('de'))).toBe('taken')
    expect(Buffer.from(body.take()).toString()).toBe('abcde')
    expect(memory.bytes).toBe(0)
  })

  it('takes the last byte that is allowed and not the next', () => {
    const body = new BodyMemory(100).claim(4, null)
    expect(body.add(bytes('abcd'))).toBe('taken')
    expect(body.add(bytes('e'))).toBe('body_too_large')
  })

  it('is shared by all bodies and given back by each', () => {
    const memory = new BodyMemory(5)
    const [first, second] = [memory.claim(10, null), memory.claim(10, null)]
    expect(first.add(bytes('abcd'))).toBe('taken')
    expect(second.add(bytes('ab'))).toBe('body_memory_full')
    first.release()
    first.release()
    expect(memory.bytes).toBe(0)
    expect(second.add(bytes('ab'))).toBe('taken')
  })

  it('gives half of itself to bodies that anybody may send, and takes it back', () => {
    const memory = new BodyMemory(10)
    const [first, second, known] = [memory.claim(10, 'a'), memory.claim(10, 'a'), memory.claim(10, null)]
    expect(first.add(bytes('abcde'))).toBe('taken')
    expect(second.add(bytes('f'))).toBe('body_memory_full')
    expect(known.add(bytes('fghij'))).toBe('taken')
    first.release()
    expect(second.add(bytes('f'))).toBe('taken')
  })

  it('charges the room that a body takes, which is little more than its bytes however small its pieces', () => {
    const memory = new BodyMemory(10_000_000)
    const body = memory.claim(1_000_000, null)
    for (let index = 0; index < 200_000; index++)
      expect(body.add(new Uint8Array([index % 251]))).toBe('taken')
    expect(memory.bytes).toBeGreaterThanOrEqual(200_000)
    expect(memory.bytes).toBeLessThan(300_000)
    const whole = body.take()
    expect(whole.byteLength).toBe(200_000)
    expect(whole.every((byte, index) => byte === index % 251)).toBe(true)
    expect(memory.bytes).toBe(0)
  })

  it.each([1, 3, 4_095, 4_096, 5_000, 70_000])('puts pieces of up to %i bytes together in order', (most) => {
    const sent = Buffer.from(Array.from({ length: 150_000 }, (_, index) => (index * 7) % 256))
    const memory = new BodyMemory(1_000_000)
    const body = memory.claim(150_000, 'a')
    for (let [from, length] = [0, 1]; from < sent.length; from += length, length = (length * 5) % most || 1)
      expect(body.add(sent.subarray(from, from + length))).toBe('taken')
    expect(body.add(bytes('x'))).toBe('body_too_large')
    expect(memory.bytes).toBeLessThanOrEqual(150_000)
    expect(Buffer.compare(body.take(), sent)).toBe(0)
  })

  it('gives an empty body for no chunk at all', () => {
    expect(new BodyMemory(5).claim(1, null).take().byteLength).toBe(0)
  })
})
