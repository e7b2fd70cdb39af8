import { describe, expect, it } from 'vitest'
import { type Portrait, portrait } from '../../../../tools/vendors/people/portrait.ts'
import { startRegion } from './region.ts'

const of = (...people: readonly string[]): Portrait => ({ faces: people.map((person) => ({ person })) })
const image = (content: Portrait | Buffer) => ({
  Bytes: (Buffer.isBuffer(content) ? content : portrait(content)).toString('base64'),
})
const comparing = (source: Portrait | Buffer, target: Portrait | Buffer, rest: object = {}) => ({
  SourceImage: image(source),
  TargetImage: image(target),
  ...rest,
})

describe('a comparison of faces', () => {
  it('finds the same person', async () => {
    const { call } = await startRegion()
    const { status, body } = await call('CompareFaces', comparing(of('alice'), of('alice')))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      SourceImageFace: { Confidence: 99.9 },
      FaceMatches: [{ Similarity: 99.4, Face: { Confidence: 99.9 } }],
      UnmatchedFaces: [],
    })
  })

  it('keeps low scores to itself unless it is asked for them', async () => {
    const { call } = await startRegion()
    const other = comparing(of('alice'), of('bob'))
    expect((await call('CompareFaces', other)).body).toMatchObject({ FaceMatches: [], UnmatchedFaces: [{}] })
    const asked = { ...other, SimilarityThreshold: 0 }
    expect((await call('CompareFaces', asked)).body).toMatchObject({
      FaceMatches: [{ Similarity: 1.7 }],
      UnmatchedFaces: [],
    })
  })

  it('takes the largest face of the source and all of the target, the most alike first', async () => {
    const { call } = await startRegion()
    const both = comparing(of('alice', 'bob'), of('bob', 'alice'), { SimilarityThreshold: 0 })
    expect((await call('CompareFaces', both)).body).toMatchObject({
      FaceMatches: [{ Similarity: 99.4 }, { Similarity: 1.7 }],
    })
  })

  it('gives the score that is written on the picture of the person', async () => {
    const { call } = await startRegion()
    const scripted = { faces: [{ person: 'alice', likeness: 87.6543210987 }] }
    expect((await call('CompareFaces', comparing(scripted, of('alice')))).body).toMatchObject({
      FaceMatches: [{ Similarity: 87.6543210987 }],
    })
  })

  it('sees the holder on a picture without a note', async () => {
    const { call } = await startRegion()
    const noted = portrait({ faces: [], format: 'png' })
    const bare = Buffer.from(noted.toString('latin1').replace('faces:', 'hello:'), 'latin1')
    expect((await call('CompareFaces', comparing(of('holder'), bare))).body).toMatchObject({
      FaceMatches: [{ Similarity: 99.4 }],
    })
  })

  it.each([
    ['no face on the source', comparing(of(), of('alice')), 'InvalidParameterException'],
    ['no face on the target', comparing(of('alice'), of()), 'InvalidParameterException'],
    ['a side below 80 pixels', comparing({ ...of('a'), width: 79 }, of('a')), 'InvalidParameterException'],
    [
      'a threshold above 100',
      comparing(of('a'), of('a'), { SimilarityThreshold: 101 }),
      'InvalidParameterException',
    ],
    [
      'an unknown filter',
      comparing(of('a'), of('a'), { QualityFilter: 'BEST' }),
      'InvalidParameterException',
    ],
    ['a misspelt member', comparing(of('a'), of('a'), { Threshold: 0 }), 'InvalidParameterException'],
    ['one image', { SourceImage: image(of('a')) }, 'InvalidParameterException'],
    ['what is no image', comparing(Buffer.from('hello'), of('a')), 'InvalidImageFormatException'],
    ['a GIF', comparing(Buffer.from('GIF89a'), of('a')), 'InvalidImageFormatException'],
    ['half a JPEG', comparing(portrait(of('a')).subarray(0, 100), of('a')), 'InvalidImageFormatException'],
    ['a byte too much', comparing(of('a'), { ...of('a'), bytes: 5_242_881 }), 'ImageTooLargeException'],
    [
      'an object of S3',
      { ...comparing(of('a'), of('a')), TargetImage: { S3Object: {} } },
      'InvalidS3ObjectException',
    ],
    [
      'what is no base64',
      { ...comparing(of('a'), of('a')), TargetImage: { Bytes: '*' } },
      'SerializationException',
    ],
  ])('is refused with %s', async (_, input, code) => {
    const { call } = await startRegion()
    const { status, body } = await call('CompareFaces', input)
    expect({ status, code: body['__type'] }).toEqual({ status: 400, code })
  })

  it('takes two images of the largest size, and keeps nothing but what they were', async () => {
    const { call, orders } = await startRegion()
    const large = { ...of('alice'), bytes: 5_242_880 }
    const input = comparing({ ...large, format: 'png' }, large)
    expect((await call('CompareFaces', input)).body).toMatchObject({ FaceMatches: [{ Similarity: 99.4 }] })
    expect(await orders.heard()).toMatchObject([
      { operation: 'CompareFaces', status: 200, images: [{ bytes: 5_242_880 }, { bytes: 5_242_880 }] },
    ])
    expect(await orders.held()).toEqual([])
  })
})
