import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { scenes } from '../../../tools/vendors/people/camera.ts'
import { checkedImage, HOLDER, imageOf } from '../checks.ts'
import { begunIn, startFaceApi } from './resource.ts'

const matchMin = 70

const attempt = (number: number, verdict: string, matchScore: number | null) => ({
  id: expect.stringMatching(new RegExp(`/${number}$`)) as string,
  verdict,
  livenessScore: null,
  matchScore,
})

const results = (...attempts: readonly object[]) => ({ kind: 'results', attempts })

describe('a session at Azure', () => {
  it('is handed to a device by its token, and holds the image', async () => {
    const { begin, orders } = await startFaceApi()
    const { sessionId, authToken } = begunIn(await begin())
    expect(authToken).not.toBe('')
    expect(await orders.held()).toMatchObject([{ id: sessionId, images: [{ bytes: HOLDER.bytes.length }] }])
  })

  it('is handed out again with the token that it has', async () => {
    const { begin, rejoin, capture, read } = await startFaceApi()
    const first = begunIn(await begin())
    const again = begunIn(await rejoin(first.sessionId))
    expect(again).toEqual(first)
    await capture(again.authToken)
    expect(await read(first.sessionId, { matchMin })).toMatchObject({ kind: 'results' })
    expect(await rejoin(randomUUID())).toEqual({ kind: 'lost' })
  })

  it.each(['jpeg', 'png'] as const)('takes an image of five megabytes, as %s', async (format) => {
    const { begin, orders } = await startFaceApi()
    const image = checkedImage({ people: ['holder'], format, bytes: 5_242_880 })
    begunIn(await begin({ image }))
    expect(await orders.held()).toMatchObject([{ images: [{ bytes: 5_242_880 }] }])
  })

  it.each([
    ['no face', imageOf(), 'no-face'],
    ['two faces', imageOf('holder', 'stranger'), 'several-faces'],
    ['what is no picture', { ...HOLDER, bytes: Buffer.alloc(2_000, 'text') }, 'not-accepted'],
    ['less than it looks at', { ...HOLDER, bytes: HOLDER.bytes.subarray(0, 500) }, 'not-accepted'],
  ])('is not begun with an image of %s', async (_, image, why) => {
    const { begin, orders } = await startFaceApi()
    expect(await begin({ image })).toEqual({ kind: 'image-unfit', why })
    expect(await orders.held()).toEqual([])
  })
})

describe('what came of a session at Azure', () => {
  it.each([
    ['the holder', [scenes.holder], results(attempt(1, 'passed', 99.4))],
    ['a picture of the holder', [scenes.spoof], results(attempt(1, 'not-live', 99.4))],
    ['somebody of whom Azure is not sure', [scenes.uncertain], results(attempt(1, 'not-live', 99.4))],
    ['somebody else', [scenes.stranger], results(attempt(1, 'another-person', 1.7))],
    [
      'too little likeness',
      [{ ...scenes.holder, matchScore: 69 }],
      results(attempt(1, 'another-person', 69)),
    ],
    ['just enough of it', [{ ...scenes.holder, matchScore: 70 }], results(attempt(1, 'passed', 70))],
    [
      'nothing to compare',
      [{ ...scenes.holder, isUnsharp: true }],
      results(attempt(1, 'not-compared', null)),
    ],
    ['nobody', [scenes.nobody], { kind: 'not-yet' }],
    ['two people', [scenes.two], { kind: 'not-yet' }],
    ['somebody who goes away', [scenes.goesAway], { kind: 'not-yet' }],
    [
      'a spoof, then the holder',
      [scenes.spoof, scenes.holder],
      results(attempt(1, 'not-live', 99.4), attempt(2, 'passed', 99.4)),
    ],
    [
      'nobody, a stranger, the holder',
      [scenes.nobody, scenes.stranger, scenes.holder],
      results(attempt(2, 'another-person', 1.7), attempt(3, 'passed', 99.4)),
    ],
  ])('with %s in front of the camera', async (_, some, reading) => {
    const { captured, read } = await startFaceApi()
    expect(await read(await captured(some), { matchMin })).toEqual(reading)
  })

  it('is not more than Azure’s own view, however little the organisation asks for', async () => {
    const { captured, read } = await startFaceApi()
    const sessionId = await captured([{ ...scenes.holder, matchScore: 49 }])
    expect(await read(sessionId, { matchMin: 10 })).toEqual(results(attempt(1, 'another-person', 49)))
  })

  it('is the same in whatever way its documents are meant', async () => {
    const { captured, read, orders } = await startFaceApi()
    const sessionId = await captured([scenes.spoof, scenes.stranger, scenes.holder])
    const usual = await read(sessionId, { matchMin })
    expect(usual).toMatchObject({ attempts: [{}, {}, { verdict: 'passed' }] })
    for (const manner of [
      { status: 'current' },
      { attempts: 'oldest first' },
      { decisions: 'camel case' },
    ] as const) {
      await orders.behave(manner)
      expect(await read(sessionId, { matchMin })).toEqual(usual)
    }
  })

  it('lapses at the time that was asked for, and the device learns it too', async () => {
    const { begin, read, capture, orders } = await startFaceApi()
    const { sessionId, authToken } = begunIn(await begin({ seconds: 60 }))
    expect(await read(sessionId)).toEqual({ kind: 'not-yet' })
    await orders.age(61_000)
    await expect(capture(authToken)).rejects.toThrow('expired')
    expect(await read(sessionId, { lapsesAtMs: Date.now() - 1 })).toEqual({ kind: 'lapsed' })
  })

  it('is read behind that time as well', async () => {
    const { captured, read, orders } = await startFaceApi()
    const sessionId = await captured([scenes.holder], { seconds: 60 })
    await orders.age(61_000)
    expect(await read(sessionId, { matchMin, lapsesAtMs: 0 })).toMatchObject({
      kind: 'results',
      attempts: [{ verdict: 'passed' }],
    })
  })

  it('is lost after 48 hours, where it never was, and where it is somebody else’s', async () => {
    const { captured, read, theirs, orders } = await startFaceApi()
    const sessionId = await captured()
    expect(await read(sessionId, { account: theirs })).toEqual({ kind: 'lost' })
    expect(await read(randomUUID())).toEqual({ kind: 'lost' })
    await orders.age(48 * 3_600_000)
    expect(await read(sessionId)).toEqual({ kind: 'lost' })
  })

  it('is nothing where it is about another image', async () => {
    const { captured, read } = await startFaceApi()
    const image = checkedImage({ people: ['holder'], width: 321 })
    expect(await read(await captured(), { image })).toEqual({
      kind: 'away',
      why: 'contradictory',
      retryAfterMs: null,
    })
  })
})

describe('the end of a session at Azure', () => {
  it('takes everything that is held, read or not, and does no harm twice', async () => {
    const { begin, captured, read, end, orders, capture } = await startFaceApi()
    const unread = begunIn(await begin())
    const unheard = await captured()
    const heard = await captured([scenes.spoof])
    await read(heard)
    expect(await orders.held()).toHaveLength(3)
    for (const sessionId of [unread.sessionId, unheard, heard, heard, randomUUID()])
      expect(await end(sessionId)).toEqual({ kind: 'gone' })
    expect(await orders.held()).toEqual([])
    await expect(capture(unread.authToken)).rejects.toThrow('invalid')
    expect(await read(heard)).toEqual({ kind: 'lost' })
  })

  it('is nobody else’s to bring about', async () => {
    const { captured, end, theirs, orders } = await startFaceApi()
    await captured()
    const [held] = await orders.held()
    await end(held?.id ?? '', theirs)
    expect(await orders.held()).toHaveLength(1)
  })
})
