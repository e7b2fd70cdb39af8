import { describe, expect, it } from 'vitest'
import { inflateSync } from 'node:zlib'
import { likenessOf } from '../../../../tools/vendors/people/faces.ts'
import { pictureOf } from '../../../../tools/vendors/people/picture.ts'
import { portrait } from '../../../../tools/vendors/people/portrait.ts'

const formats = ['jpeg', 'png'] as const
const faces = [{ person: 'alice', likeness: 91.5 }, { person: 'bob' }]

describe.each(formats)('a portrait as %s', (format) => {
  it('says how large it is and whose faces it shows', () => {
    expect(pictureOf(portrait({ faces, format, width: 123, height: 457 }))).toMatchObject({
      width: 123,
      height: 457,
      faces,
    })
  })

  it.each([2_000, 65_540, 70_000, 131_080, 204_800, 1_000_013, 5_242_880])(
    'can have exactly %i bytes',
    (bytes) => {
      const made = portrait({ faces, format, width: 80, height: 80, bytes })
      expect(made).toHaveLength(bytes)
      expect(pictureOf(made)).toMatchObject({ faces, sighting: { bytes } })
    },
  )

  it('cannot be smaller than it is', () => {
    expect(() => portrait({ faces, format, bytes: 10 })).toThrow('cannot be made')
  })

  it('is no picture when its end is missing', () => {
    expect(pictureOf(portrait({ faces, format }).subarray(0, -2))).toBeNull()
  })
})

describe('a portrait', () => {
  it('is a PNG whose rows are whole', () => {
    const made = portrait({ faces, format: 'png', width: 100, height: 90 })
    const start = made.indexOf('IDAT') + 4
    expect(inflateSync(made.subarray(start))).toHaveLength(101 * 90)
  })

  it('is a JPEG with two bits for each block', () => {
    const made = portrait({ faces, width: 80, height: 80 })
    const scan = made.indexOf(Buffer.from([0xff, 0xda]))
    expect(made.subarray(scan + 10, -2)).toEqual(Buffer.alloc(25))
  })
})

describe('a picture', () => {
  it('without a note shows the holder', () => {
    const noted = portrait({ faces }).toString('latin1').replace('faces:', 'hello:')
    expect(pictureOf(Buffer.from(noted, 'latin1'))?.faces).toEqual([{ person: 'holder' }])
  })

  it.each([Buffer.alloc(0), Buffer.from('GIF89a'), Buffer.from([0xff, 0xd8, 0xff, 0xd9])])(
    'is none of %o',
    (bytes) => {
      expect(pictureOf(bytes)).toBeNull()
    },
  )
})

describe('the likeness of two faces', () => {
  it('is high for one person and low for two, or what is written', () => {
    const [alice, bob] = [{ person: 'alice' }, { person: 'bob' }]
    expect(likenessOf(alice, alice)).toBeGreaterThan(99)
    expect(likenessOf(alice, bob)).toBeLessThan(2)
    expect(likenessOf(alice, { ...alice, likeness: 77 })).toBe(77)
    expect(likenessOf({ ...alice, likeness: 66 }, { ...alice, likeness: 77 })).toBe(66)
  })
})
