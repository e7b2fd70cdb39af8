import { describe, expect, it } from 'vitest'
import { referenceImageOf } from '../../src/biometric/reference-image.ts'
import { isRefused } from '../../src/domain/decider.ts'
import { limits } from '../../src/domain/limits.ts'
import { behindStart, type Chunk, chunksOf, jpeg, png, pngOf, segment } from './pictures.ts'

const checked = (bytes: Buffer) => referenceImageOf(bytes.toString('base64'))

/** What is wrong with it; an image that is right has no sentence. */
const flawOf = (bytes: Buffer): string | null => {
  const image = checked(bytes)
  return isRefused(image) ? image.reason.replace(/^biometric\.referenceImage (.*)\.$/s, '$1') : null
}

describe('a reference image', () => {
  it.each([
    ['JPEG', 'jpeg', jpeg({ width: 80, height: 90 })],
    ['PNG', 'png', png({ width: 80, height: 90 })],
  ])('that is a whole %s is taken as it is', (_, format, bytes) => {
    expect(checked(bytes)).toEqual({ format, bytes, width: 80, height: 90 })
  })

  it.each(['jpeg', 'png'] as const)('of exactly the most bytes is taken, as %s', (format) => {
    expect(flawOf(jpeg({ format, bytes: limits.referenceImageBytesMax }))).toBeNull()
    expect(flawOf(jpeg({ format, bytes: limits.referenceImageBytesMax + 1 }))).toBe(
      'has more than 5242880 bytes when it is decoded',
    )
  })

  it.each([
    [79, 400],
    [400, 79],
  ])('of %d × %d pixels is too small', (width, height) => {
    for (const draw of [jpeg, png])
      expect(flawOf(draw({ width, height }))).toBe(
        `has ${width} × ${height} pixels; each side needs at least 80`,
      )
  })

  it.each([
    ['another format', Buffer.from(`GIF89a${'x'.repeat(100)}`), 'is neither a JPEG nor a PNG'],
    ['a page', Buffer.from(`<svg>${' '.repeat(100)}</svg>`), 'is neither a JPEG nor a PNG'],
    ['the start of a JPEG alone', Buffer.from([0xff, 0xd8]), 'is neither a JPEG nor a PNG'],
    ['nothing', Buffer.alloc(0), 'is neither a JPEG nor a PNG'],
  ])('that is %s is refused', (_, bytes, flaw) => expect(flawOf(bytes)).toBe(flaw))

  it('is refused as it will be answered', () => {
    expect(referenceImageOf('AAAA')).toEqual({
      refused: 'reference_image_invalid',
      reason: 'biometric.referenceImage is neither a JPEG nor a PNG.',
    })
  })

  const right = jpeg().toString('base64')
  it.each([
    ['an address of data', `data:image/jpeg;base64,${right}`],
    ['a line break', `${right.slice(0, 400)}\n${right.slice(400)}`],
    ['the alphabet of addresses', right.replaceAll('/', '_')],
    ['its end left out', right.slice(0, -1)],
    ['padding in the middle', `${right.slice(0, 400)}====${right.slice(400)}`],
    ['three signs of padding', `${right.slice(0, -3)}===`],
    ['a letter of another alphabet', `${right.slice(0, 400)}ä${right.slice(401)}`],
    ['a NUL', `${right.slice(0, 400)}\0${right.slice(401)}`],
  ])('with %s is no base64', (_, text) => {
    expect(referenceImageOf(text)).toMatchObject({
      reason: expect.stringMatching(/ is not base64: /) as string,
    })
  })
})

describe('a JPEG', () => {
  const whole = jpeg()
  const frameAt = whole.indexOf(Buffer.from([0xff, 0xc0]))
  const withFrame = (place: number, value: number): Buffer => {
    const changed = Buffer.from(whole)
    changed[frameAt + place] = value
    return changed
  }

  it.each([
    ['cut off by a byte', whole.subarray(0, -1), 'is cut off: its end is missing'],
    ['cut off in its data', whole.subarray(0, -100), 'is cut off: its end is missing'],
    ['cut off in its head', whole.subarray(0, 100), 'is cut off: its end is missing'],
    ['of a start and an end', Buffer.from([0xff, 0xd8, 0xff, 0xd9]), 'has no picture in it'],
    [
      'followed by something',
      Buffer.concat([whole, Buffer.from('PK')]),
      'has 2 bytes behind its end: save it again as one plain picture',
    ],
    [
      'followed by another',
      Buffer.concat([whole, whole]),
      `has ${whole.length} bytes behind its end: save it again as one plain picture`,
    ],
    [
      'with an index of several pictures',
      behindStart(whole, segment(0xe2, Buffer.from('MPF\0II*\0', 'latin1'))),
      'has several pictures in it: one alone is allowed',
    ],
    [
      'with a second start',
      behindStart(whole, Buffer.from([0xff, 0xd8])),
      'has several pictures in it: one alone is allowed',
    ],
    [
      'with two headers',
      behindStart(whole, whole.subarray(frameAt, frameAt + 13)),
      'has several pictures in it: one alone is allowed',
    ],
    [
      'with data and no header',
      behindStart(whole, segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]))),
      'is damaged: its data has no header',
    ],
    ['that is lossless', withFrame(1, 0xc3), 'is a sort of JPEG that hardly any reader knows'],
    ['that is arithmetic', withFrame(1, 0xc9), 'is a sort of JPEG that hardly any reader knows'],
    ['of twelve bits', withFrame(4, 12), 'has a header that no reader knows'],
    ['of no component', withFrame(9, 0), 'has a header that no reader knows'],
    ['of more components than its header has', withFrame(9, 3), 'has a header that no reader knows'],
    [
      'with a part that has no length',
      behindStart(whole, segment(0xe1, Buffer.alloc(0), 0)),
      'is damaged: a part of it has no length',
    ],
    [
      'with a part longer than itself',
      behindStart(whole, segment(0xe1, Buffer.alloc(0), 0xffff)),
      'is cut off: its end is missing',
    ],
    [
      'with something between two parts',
      behindStart(whole, Buffer.concat([segment(0xe1, Buffer.alloc(4)), Buffer.from([0])])),
      'is damaged: a part of it does not begin where the one before ends',
    ],
    [
      'with a part of no name',
      behindStart(whole, segment(0xe1, Buffer.alloc(4)).fill(0x02, 1, 2)),
      'is damaged: a part of it has no name',
    ],
    [
      'of very many parts',
      behindStart(whole, Buffer.concat(Array<Buffer>(1_000).fill(segment(0xfe, Buffer.alloc(1))))),
      'has more than 1000 parts',
    ],
  ])('%s is refused', (_, bytes, flaw) => expect(flawOf(bytes)).toBe(flaw))

  it.each([
    ['fill bytes before a part', behindStart(whole, Buffer.from([0xff, 0xff, 0xff]))],
    ['a progressive header', withFrame(1, 0xc2)],
    [
      'restarts in its data',
      Buffer.concat([whole.subarray(0, -2), Buffer.from([0xff, 0xd3, 1, 0xff, 0xd9])]),
    ],
    [
      'a stuffed byte in its data',
      Buffer.concat([whole.subarray(0, -2), Buffer.from([0xff, 0, 1, 0xff, 0xd9])]),
    ],
    [
      'a second scan',
      Buffer.concat([
        whole.subarray(0, -2),
        segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
        Buffer.from([1, 2, 0xff, 0xd9]),
      ]),
    ],
  ])('with %s is taken', (_, bytes) => expect(flawOf(bytes)).toBeNull())
})

describe('a PNG', () => {
  const whole = png()
  const chunks = chunksOf(whole)
  const [head, note, data, end] = ['IHDR', 'tEXt', 'IDAT', 'IEND'].map(
    (type) => chunks.find((chunk) => chunk.type === type) as Chunk,
  ) as [Chunk, Chunk, Chunk, Chunk]
  const headWith = (place: number, value: number): Chunk => {
    const content = Buffer.from(head.content)
    content[place] = value
    return { type: 'IHDR', content }
  }
  const palette: Chunk = { type: 'PLTE', content: Buffer.alloc(6) }
  const empty = (type: string): Chunk => ({ type, content: Buffer.alloc(0) })

  it.each([
    ['cut off by a byte', whole.subarray(0, -1), 'is cut off: its end is missing'],
    ['without its end', pngOf([head, data]), 'is cut off: its end is missing'],
    [
      'followed by something',
      Buffer.concat([whole, Buffer.from([0])]),
      'has 1 bytes behind its end: save it again as one plain picture',
    ],
    ['that does not begin with its header', pngOf([note, head, data, end]), 'does not begin with one header'],
    ['with two headers', pngOf([head, head, data, end]), 'does not begin with one header'],
    ['without data', pngOf([head, note, end]), 'has no picture in it'],
    ['with data in two places', pngOf([head, data, note, data, end]), 'has its data in several places'],
    [
      'with an end that holds something',
      pngOf([head, data, { ...note, type: 'IEND' }]),
      'has no picture in it',
    ],
    [
      'with a wrong sum',
      pngOf([head, { ...data, sum: 1 }, end]),
      'is damaged: the sum of a part (IDAT) is wrong',
    ],
    [
      'that is animated',
      pngOf([head, empty('acTL'), data, end]),
      'is animated: one picture alone is allowed',
    ],
    [
      'with frames and no word of it',
      pngOf([head, data, empty('fdAT'), end]),
      'is animated: one picture alone is allowed',
    ],
    [
      'with a part that must be known',
      pngOf([head, empty('NEWS'), data, end]),
      'has a part that no reader knows (NEWS)',
    ],
    [
      'with a part of no name',
      pngOf([head, empty('te\0t'), data, end]),
      'is damaged: a part of it has no name',
    ],
    ['of three bits', pngOf([headWith(8, 3), data, end]), 'has a header that no reader knows'],
    ['of no known colours', pngOf([headWith(9, 1), data, end]), 'has a header that no reader knows'],
    ['packed in another way', pngOf([headWith(10, 1), data, end]), 'has a header that no reader knows'],
    ['of another order', pngOf([headWith(12, 2), data, end]), 'has a header that no reader knows'],
    ['of a negative width', pngOf([headWith(0, 0x80), data, end]), 'is wider or higher than any picture'],
    ['with a short header', pngOf([{ ...note, type: 'IHDR' }, data, end]), 'has a header of another length'],
    ['without the palette of its colours', pngOf([headWith(9, 3), data, end]), 'has no palette'],
    ['with two palettes', pngOf([head, palette, palette, data, end]), 'has a palette where none may be'],
    [
      'of very many parts',
      pngOf([head, ...Array<Chunk>(10_000).fill(note), data, end]),
      'has more than 10000 parts',
    ],
  ])('%s is refused', (_, bytes, flaw) => expect(flawOf(bytes)).toBe(flaw))

  it('whose part says that it is longer than the file is cut off', () => {
    const changed = Buffer.from(whole)
    changed.writeUInt32BE(0xffff_ffff, 33)
    expect(flawOf(changed)).toBe('is cut off: its end is missing')
  })

  it.each([
    ['its data in pieces', pngOf([head, data, data, end])],
    ['a palette', pngOf([headWith(9, 3), palette, data, end])],
    ['a note behind its data', pngOf([head, data, note, end])],
  ])('with %s is taken', (_, bytes) => expect(flawOf(bytes)).toBeNull())
})
