import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { scenes } from '../../../tools/vendors/people/camera.ts'
import { checkedImage, HOLDER, imageOf } from '../checks.ts'
import { deviceIn, entered, REGION, startRegion } from './region.ts'

const attempt = (verdict: string, livenessScore: number | null, matchScore: number | null) => ({
  kind: 'results',
  attempts: [{ id: expect.any(String) as string, verdict, livenessScore, matchScore }],
})

describe('a session at AWS', () => {
  it('is handed to a device with credentials that can do nothing but run one', async () => {
    const { begin, orders, vendor } = await startRegion()
    const device = deviceIn(await begin())
    expect(device).toMatchObject({ vendor: 'aws_rekognition', region: REGION })
    const lifeMs = Date.parse(device.credentialsExpireAt) - Date.now()
    expect(lifeMs).toBeGreaterThan(800_000)
    expect(lifeMs).toBeLessThanOrEqual(900_000)
    expect(await orders.held()).toMatchObject([{ id: device.sessionId, status: 'CREATED', images: [] }])
    expect(vendor.sessionSeconds).toEqual({ least: 180, most: 180 })
  })

  it('is the same for the same number of a check, and another for the next', async () => {
    const { begin, orders } = await startRegion()
    const checkId = `chk_${randomUUID()}`
    const first = deviceIn(await begin({ checkId }))
    const again = deviceIn(await begin({ checkId }))
    const second = deviceIn(await begin({ checkId, number: 2 }))
    expect(again.sessionId).toBe(first.sessionId)
    expect(again.sessionToken).not.toBe(first.sessionToken)
    expect(second.sessionId).not.toBe(first.sessionId)
    expect(await orders.held()).toHaveLength(2)
  })

  it('is handed out again with fresh credentials, and not begun anew', async () => {
    const { begin, rejoin, capture, orders, read } = await startRegion()
    const first = deviceIn(await begin())
    const again = deviceIn(await rejoin(first.sessionId))
    expect(again).toMatchObject({ sessionId: first.sessionId, region: REGION })
    expect(again.accessKeyId).not.toBe(first.accessKeyId)
    await capture(again)
    expect(await read(first.sessionId)).toMatchObject({ kind: 'results' })
    expect(await orders.held()).toHaveLength(1)
  })

  it('is begun under no id that AWS would not take', async () => {
    const { begin } = await startRegion()
    await expect(begin({ checkId: 'ä' })).rejects.toThrow('does not fit')
  })

  it('keeps no image of the organisation, and needs no deletion', async () => {
    const { captured, read, end, orders } = await startRegion()
    const sessionId = await captured()
    await read(sessionId)
    const [held] = await orders.held()
    expect(held?.images).toHaveLength(1)
    const before = (await orders.heard()).length
    expect(await end(sessionId)).toEqual({ kind: 'gone' })
    expect(await orders.heard()).toHaveLength(before)
    await orders.age(181_000)
    expect(await orders.held()).toEqual([])
  })
})

describe('what came of a session at AWS', () => {
  it.each([
    ['the holder', scenes.holder, attempt('passed', 99.1, 99.4)],
    ['a picture of the holder', scenes.spoof, attempt('not-live', 3.2, null)],
    ['somebody of whom AWS is not sure', scenes.uncertain, attempt('not-live', 55, null)],
    ['somebody else', scenes.stranger, attempt('another-person', 99.1, 1.7)],
    ['nobody', scenes.nobody, attempt('not-live', null, null)],
    ['the holder, unsharp', { ...scenes.holder, isUnsharp: true }, attempt('not-compared', 99.1, null)],
    ['the holder and somebody behind', scenes.two, attempt('passed', 99.1, 99.4)],
    [
      'exactly the least scores',
      { ...scenes.holder, livenessScore: 80, matchScore: 90 },
      attempt('passed', 80, 90),
    ],
    ['too little life', { ...scenes.holder, livenessScore: 79.9 }, attempt('not-live', 79.9, null)],
    ['too little likeness', { ...scenes.holder, matchScore: 89.9 }, attempt('another-person', 99.1, 89.9)],
    ['somebody who goes away', scenes.goesAway, { kind: 'not-yet' }],
  ])('with %s in front of the camera', async (_, scene, reading) => {
    const { captured, read } = await startRegion()
    expect(await read(await captured(scene))).toEqual(reading)
  })

  it('is told as often as it is asked for, under the same id', async () => {
    const { captured, read } = await startRegion()
    const sessionId = await captured()
    const first = await read(sessionId)
    expect(first).toMatchObject({ attempts: [{ id: sessionId }] })
    expect(await read(sessionId)).toEqual(first)
  })

  it('is compared only where the person is alive', async () => {
    const { captured, read, orders } = await startRegion()
    await read(await captured(scenes.spoof))
    expect((await orders.heard()).map(({ operation }) => operation)).not.toContain('CompareFaces')
  })

  it.each([
    ['two faces', imageOf('holder', 'stranger'), 'several-faces'],
    ['two faces of strangers', imageOf('stranger', 'other'), 'several-faces'],
    ['no face', imageOf(), 'no-face'],
  ])('is nothing where the image shows %s', async (_, image, why) => {
    const { captured, read } = await startRegion()
    expect(await read(await captured(), { image })).toEqual({ kind: 'image-unfit', why })
  })

  it('is not the fault of the image where the picture of the session shows no face', async () => {
    const { captured, read, orders } = await startRegion()
    const sessionId = await captured()
    await orders.trouble({
      kind: 'altered',
      at: ['ReferenceImage', 'Bytes'],
      to: Buffer.from(imageOf().bytes).toString('base64'),
      operations: ['GetFaceLivenessSessionResults'],
    })
    expect(await read(sessionId)).toEqual(attempt('not-compared', 99.1, null))
  })

  it('is nothing where AWS does not take the image', async () => {
    const { captured, read } = await startRegion()
    const bytes = Buffer.from('not a picture at all')
    const image = { ...HOLDER, bytes }
    expect(await read(await captured(), { image })).toEqual({ kind: 'image-unfit', why: 'not-accepted' })
  })

  it('is an attempt also where AWS finds the faces so unlike that it tells no likeness', async () => {
    const { captured, read, orders } = await startRegion()
    const sessionId = await captured()
    const operations = ['CompareFaces']
    await orders.trouble({ kind: 'altered', at: ['FaceMatches'], to: [], operations })
    await orders.trouble({ kind: 'altered', at: ['UnmatchedFaces'], to: [{ Confidence: 99.9 }], operations })
    expect(await read(sessionId)).toEqual(attempt('another-person', 99.1, null))
  })

  it('is compared with an image of five megabytes', async () => {
    const { captured, read } = await startRegion()
    const image = checkedImage({ people: ['holder'], bytes: 5_242_880 })
    expect(await read(await captured(), { image })).toEqual(attempt('passed', 99.1, 99.4))
  })

  it('is not there yet before anybody captured', async () => {
    const { begin, read } = await startRegion()
    const { sessionId } = deviceIn(await begin())
    expect(await read(sessionId)).toEqual({ kind: 'not-yet' })
    expect(await read(sessionId, { lapsesAtMs: Date.now() - 1 })).toEqual({ kind: 'lapsed' })
  })

  it('is gone after 180 seconds, used or not', async () => {
    const { begin, captured, read, orders, capture } = await startRegion()
    const unused = deviceIn(await begin())
    const used = await captured()
    await orders.age(179_000)
    expect(await read(used)).toMatchObject({ kind: 'results' })
    await orders.age(2_000)
    expect(await read(unused.sessionId)).toEqual({ kind: 'lapsed' })
    expect(await read(used)).toEqual({ kind: 'lapsed' })
    await expect(capture(unused)).rejects.toThrow('SessionNotFoundException')
    await orders.behave({ afterExpiry: 'not found' })
    expect(await read(used)).toEqual({ kind: 'lost' })
  })

  it('is lost where AWS knows no such session', async () => {
    const { read } = await startRegion()
    expect(await read(randomUUID())).toEqual({ kind: 'lost' })
  })

  it('is nobody else’s: a session of another account is lost', async () => {
    const { captured, read, orders } = await startRegion()
    const sessionId = await captured()
    await orders.putAccount({
      id: '444455556666',
      users: [
        {
          name: 'vouchsafe',
          accessKeyId: 'AKIAI44QH8DHBEXAMPLE',
          secretAccessKey: 'another secret',
          policies: [
            {
              Version: '2012-10-17',
              Statement: [{ Effect: 'Allow', Action: 'rekognition:*', Resource: '*' }],
            },
          ],
        },
      ],
      roles: [],
    })
    const account = {
      ...entered,
      credentials: { accessKeyId: 'AKIAI44QH8DHBEXAMPLE', secretAccessKey: 'another secret' },
    }
    expect(await read(sessionId, { account })).toEqual({ kind: 'lost' })
  })
})
