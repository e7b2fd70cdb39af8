import { describe, expect, it } from 'vitest'
import { referenceImageOf } from '../../src/biometric/reference-image.ts'
import { isRefused } from '../../src/domain/decider.ts'
import { limits } from '../../src/domain/limits.ts'
import { behindStart, type Chunk, chunksOf, jpeg, png, pngOf, segment } from './pictures.ts'

const ROUNDS = 10_000
const seed = Math.floor(Math.random() * 2 ** 32)

/** A small generator with a seed, so that a failure can be played again. */
function chanceFrom(start: number): (below: number) => number {
  let state = start
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Bytes changed, taken out, put in, doubled or cut off, where chance says. */
function mutated(bytes: Buffer, chance: (below: number) => number): Buffer {
  let result = Buffer.from(bytes)
  for (let times = 1 + chance(4); times > 0; times -= 1) {
    const at = chance(result.length)
    const length = chance(40)
    const [before, behind] = [result.subarray(0, at), result.subarray(at)]
    const some = Buffer.from(Array.from({ length }, () => [0xff, 0, 0xd9, chance(256)][chance(4)] ?? 0))
    const ways = [
      () => Buffer.concat([before, some, behind.subarray(length)]),
      () => Buffer.concat([before, behind.subarray(length)]),
      () => Buffer.concat([before, some, behind]),
      () => Buffer.concat([before, behind.subarray(0, length), behind]),
      () => before,
    ]
    result = Buffer.from((ways[chance(ways.length)] ?? ways[0])?.() ?? result)
    if (result.length === 0) return result
  }
  return result
}

describe('the check of reference images', () => {
  it.each([
    ['JPEG', jpeg({ width: 96, height: 96 })],
    ['PNG', png({ width: 96, height: 96 })],
  ])(`outlives ${ROUNDS} mutations of a %s and says of each what it is`, (_, original) => {
    const chance = chanceFrom(seed)
    const startedMs = performance.now()
    for (let round = 0; round < ROUNDS; round += 1) {
      const bytes = mutated(original, chance)
      const image = referenceImageOf(bytes.toString('base64'))
      const told = `seed ${seed}, round ${round}`
      if (isRefused(image))
        expect(image.reason, told).toMatch(/^biometric\.referenceImage [\x20-\x7e×]{5,110}$/)
      else expect(image.bytes.length, told).toBe(bytes.length)
    }
    // A hundred times what it takes, so that a busy machine does not fail and a loop without an end does.
    expect(performance.now() - startedMs).toBeLessThan(60_000)
  })

  it('refuses every truncation of a JPEG and of a PNG', () => {
    for (const whole of [jpeg({ width: 96, height: 96 }), png({ width: 96, height: 96 })])
      for (let length = 0; length < whole.length; length += 1)
        expect(isRefused(referenceImageOf(whole.subarray(0, length).toString('base64'))), `${length}`).toBe(
          true,
        )
  })

  const most = limits.referenceImageBytesMax
  const [head, ...rest] = chunksOf(png()) as [Chunk, ...Chunk[]]
  const empty: Chunk = { type: 'tEXt', content: Buffer.alloc(0) }
  const scanned = jpeg().subarray(0, -2)
  it.each([
    ['bytes FF before a part', behindStart(jpeg(), Buffer.alloc(most - 10_000, 0xff))],
    ['stuffed bytes', Buffer.concat([scanned, Buffer.alloc(most - 10_000, Buffer.from([0xff, 0]))])],
    ['restarts', Buffer.concat([scanned, Buffer.alloc(most - 10_000, Buffer.from([0xff, 0xd0]))])],
    [
      'empty parts of a JPEG',
      behindStart(jpeg(), Buffer.alloc(most - 10_000, segment(0xfe, Buffer.alloc(0)))),
    ],
    [
      'scans',
      Buffer.concat([scanned, Buffer.alloc(most - 10_000, segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])))]),
    ],
    ['empty parts of a PNG', pngOf([head, ...Array.from({ length: 400_000 }, (): Chunk => empty), ...rest])],
    ['one part of a PNG', pngOf([head, { type: 'fiLl', content: Buffer.alloc(most - 20_000) }, ...rest])],
  ])('takes as long for five megabytes of %s as for a picture', (_, bytes) => {
    expect(bytes.length).toBeLessThanOrEqual(most)
    const base64 = bytes.toString('base64')
    // A parser that took each part for a new beginning would not come to an end in time.
    expect(() => referenceImageOf(base64)).not.toThrow()
  })
})
