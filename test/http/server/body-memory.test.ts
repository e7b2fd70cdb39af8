import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
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

  it('gives each network a part of that half, so that others find theirs', () => {
    const whole = 64 * limits.envelopeBytesMax
    const memory = new BodyMemory(whole)
    const envelope = new Uint8Array(limits.envelopeBytesMax)
    const from = (network: string) => memory.claim(envelope.byteLength, network)
    const held = [from('a'), from('a')]
    for (const body of held) expect(body.add(envelope)).toBe('taken')
    expect(from('a').add(bytes('x'))).toBe('body_memory_full')
    for (let other = 0; other < 15; other++)
      for (const body of [from(`n${other}`), from(`n${other}`)]) expect(body.add(envelope)).toBe('taken')
    expect(from('late').add(bytes('x'))).toBe('body_memory_full')
    held[0]?.release()
    held[0]?.release()
    expect(from('a').add(envelope)).toBe('taken')
    expect(from('a').add(bytes('x'))).toBe('body_memory_full')
    expect(memory.bytes).toBe(whole / 2)
    expect(memory.claim(whole / 2, null).add(new Uint8Array(whole / 2))).toBe('taken')
  })

  it('has room for the largest message of one network, however small it is', () => {
    const memory = new BodyMemory(2 * limits.envelopeBytesMax)
    const envelope = new Uint8Array(limits.envelopeBytesMax)
    expect(memory.claim(envelope.byteLength, 'a').add(envelope)).toBe('taken')
  })

  it.each([1, 7, 4_095, 65_536, 300_000])(
    'holds a large body in one block, in order and without a copy at its end, in pieces of %i bytes',
    (most) => {
      const sent = Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * 7) % 256))
      const memory = new BodyMemory(1_000_000)
      const body = memory.claim(sent.length, null)
      for (let from = 0; from < sent.length; from += most)
        expect(body.add(sent.subarray(from, from + most), from > 262_144)).toBe('taken')
      expect(memory.bytes).toBe(sent.length)
      const whole = body.take()
      expect(Buffer.compare(whole, sent)).toBe(0)
      expect([whole.buffer.byteLength, memory.bytes]).toEqual([sent.length, 0])
    },
  )

  it('refuses a large body that it has no room for', () => {
    const memory = new BodyMemory(1_000)
    const body = memory.claim(1_001, null)
    expect(body.add(bytes('a'))).toBe('taken')
    expect(body.add(bytes('b'), true)).toBe('body_memory_full')
    body.release()
    expect(memory.bytes).toBe(0)
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
