import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
import { BodyMemory } from '../../../src/http/server/body-memory.ts'

const LARGE = { tenant: 't', isLarge: true }
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
    expect(memory.claim(whole / 4, null).add(new Uint8Array(whole / 4))).toBe('taken')
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
      for (let from = 0; from < sent.length; from += most) {
        if (from > 262_144) expect(body.giveTo(LARGE)).toBe(true)
        expect(body.add(sent.subarray(from, from + most))).toBe('taken')
      }
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
    expect(body.giveTo(LARGE)).toBe(true)
    expect(body.add(bytes('b'))).toBe('body_memory_full')
    body.release()
    expect(memory.bytes).toBe(0)
  })

  it('gives each organisation a part of itself, also for what came before it was known', () => {
    const memory = new BodyMemory(8 * limits.imageBodyBytesMax)
    const body = new Uint8Array(limits.bodyBytesMax)
    const held: ReturnType<typeof memory.claim>[] = []
    const send = (tenant: string): boolean => {
      const buffer = memory.claim(body.byteLength, null)
      held.push(buffer)
      return buffer.add(body) === 'taken' && buffer.giveTo({ tenant, isLarge: false })
    }
    const most = limits.imageBodyBytesMax / body.byteLength
    for (let index = 0; index < most; index += 1) expect(send('a')).toBe(true)
    expect(send('a')).toBe(false)
    expect(send('b')).toBe(true)
    held[0]?.release()
    expect(held[most]?.giveTo({ tenant: 'a', isLarge: false })).toBe(true)
    for (const each of held) each.release()
    expect(memory.bytes).toBe(0)
    for (let index = 0; index < most; index += 1) expect(send('a')).toBe(true)
  })

  it('charges a large body little more than what has come, and gives half of itself to all large ones', () => {
    const memory = new BodyMemory(8 * limits.imageBodyBytesMax)
    const piece = new Uint8Array(limits.bodyBytesMax + 1)
    const begin = (tenant: string) => {
      const body = memory.claim(limits.imageBodyBytesMax, null)
      expect(body.add(piece)).toBe('taken')
      return { body, isHeld: body.giveTo({ tenant, isLarge: true }) }
    }
    const slow = Array.from({ length: 32 }, (_, index) => begin(`t${index % 4}`))
    for (const { body, isHeld } of slow) expect([isHeld, body.add(bytes('x'))]).toEqual([true, 'taken'])
    expect(memory.bytes).toBeLessThanOrEqual(slow.length * 2 * piece.byteLength)
    for (const { body } of slow) body.release()
    const whole = new Uint8Array(limits.imageBodyBytesMax - piece.byteLength)
    for (let index = 0; index < 4; index += 1) expect(begin(`t${index}`).body.add(whole)).toBe('taken')
    expect(begin('another').isHeld).toBe(false)
    const small = memory.claim(limits.bodyBytesMax, null)
    expect([small.add(piece.subarray(1)), small.giveTo({ tenant: 'another', isLarge: false })]).toEqual([
      'taken',
      true,
    ])
  })

  it('keeps its last part for small bodies', () => {
    const whole = 64 * 1_048_576
    const memory = new BodyMemory(whole)
    expect(memory.claim(whole, null).add(new Uint8Array((whole * 7) / 8))).toBe('taken')
    const small = () => memory.claim(limits.bodyBytesMax, null)
    const one = small()
    expect(one.add(new Uint8Array(65_536))).toBe('taken')
    expect(one.giveTo({ tenant: 't', isLarge: false })).toBe(true)
    expect(one.add(bytes('x'))).toBe('body_memory_full')
    expect(small().add(new Uint8Array(65_537))).toBe('body_memory_full')
    for (let index = 1; index < whole / 8 / 65_536; index += 1)
      expect(small().add(new Uint8Array(65_536))).toBe('taken')
    expect(small().add(bytes('x'))).toBe('body_memory_full')
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
