import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { captureForAzure } from '../../../../tools/vendors/azure/device.ts'
import { scenes } from '../../../../tools/vendors/people/camera.ts'
import { portrait } from '../../../../tools/vendors/people/portrait.ts'
import { type Attempt, HOLDER, startFaceApi } from './face-api.ts'

const HOURS = 3_600_000

/** A session of ours whose device has its token. */
const startChecked = async (
  wanted: Parameters<Awaited<ReturnType<typeof startFaceApi>>['create']>[0] = {},
) => {
  const api = await startFaceApi()
  const { body: session } = await api.create(wanted)
  const { sessionId, authToken } = session
  const attempts = async (): Promise<readonly Attempt[]> => (await api.read(sessionId)).body.results.attempts
  return { ...api, session, sessionId, authToken, attempts, capture: () => captureForAzure({ authToken }) }
}

describe('a session of liveness with verification', () => {
  it('is created with a token for the device and what was seen on the image', async () => {
    const { session } = await startChecked()
    expect(session).toEqual({
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      authToken: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/) as string,
      status: 'NotStarted',
      modelVersion: '2024-11-15',
      results: {
        attempts: [],
        verifyReferences: [
          {
            referenceType: 'image',
            faceRectangle: expect.any(Object) as object,
            qualityForRecognition: 'high',
          },
        ],
      },
    })
  })

  it('has a result after the check, of which the device learns the digest alone', async () => {
    const { sessionId, capture, attempts } = await startChecked()
    const captured = await capture()
    expect(captured).toEqual({
      resultId: sessionId,
      digest: expect.stringMatching(/^[0-9A-F]{64}$/) as string,
    })
    expect(await attempts()).toEqual([
      {
        attemptId: 1,
        attemptStatus: 'Succeeded',
        result: {
          livenessDecision: 'realface',
          targets: { color: { faceRectangle: expect.any(Object) as object } },
          verifyResult: { matchConfidence: 0.994, isIdentical: true },
          digest: captured.digest,
        },
      },
    ])
  })

  it.each([
    ['a spoof', scenes.spoof, { result: { livenessDecision: 'spoofface' } }],
    ['something uncertain', scenes.uncertain, { result: { livenessDecision: 'uncertain' } }],
    [
      'a stranger',
      scenes.stranger,
      { result: { verifyResult: { matchConfidence: 0.017, isIdentical: false } } },
    ],
    [
      'a scripted score',
      { ...scenes.holder, matchScore: 71.23456789 },
      { result: { verifyResult: { matchConfidence: 0.7123456789, isIdentical: true } } },
    ],
    ['nobody', scenes.nobody, { attemptStatus: 'Failed', error: { code: 'FaceTrackingFailed' } }],
    ['two people', scenes.two, { attemptStatus: 'Failed', error: { code: 'FaceTrackingFailed' } }],
    ['somebody who goes away', scenes.goesAway, { attemptStatus: 'Running' }],
  ])('tells of %s in front of the camera', async (_, scene, told) => {
    const { capture, attempts, orders } = await startChecked()
    await orders.setUp([scene])
    await capture()
    expect(await attempts()).toMatchObject([told])
  })

  it('has a result or an error, and a running attempt neither', async () => {
    const { capture, attempts, orders } = await startChecked()
    await orders.setUp([scenes.holder, scenes.nobody, scenes.goesAway])
    for (let tries = 0; tries < 3; tries += 1) await capture()
    const shown = (await attempts()).map((attempt) => [
      attempt.attemptId,
      attempt.result !== undefined,
      attempt.error !== undefined,
    ])
    expect(shown).toEqual([
      [3, false, false],
      [2, false, true],
      [1, true, false],
    ])
  })

  it('may have no comparison', async () => {
    const { capture, attempts, orders } = await startChecked()
    await orders.show({ ...scenes.holder, isUnsharp: true })
    await capture()
    expect((await attempts())[0]?.result).not.toHaveProperty('verifyResult')
  })

  it('allows three attempts', async () => {
    const { capture, attempts } = await startChecked()
    for (let tries = 0; tries < 3; tries += 1) await capture()
    await expect(capture()).rejects.toThrow('403')
    expect(await attempts()).toHaveLength(3)
  })

  it('is of one person when the confidence is as high as was asked for', async () => {
    const { authToken, attempts } = await startChecked({ parts: { verifyConfidenceThreshold: '0.7' } })
    await captureForAzure({ authToken, scene: { ...scenes.holder, matchScore: 69.9 } })
    await captureForAzure({ authToken, scene: { ...scenes.holder, matchScore: 70 } })
    const identical = (await attempts()).map(({ result }) => result?.verifyResult?.isIdentical)
    expect(identical).toEqual([true, false])
  })

  it('names the image that it compared with, if that was asked for', async () => {
    const image = portrait({ ...HOLDER, width: 333 })
    const { capture, attempts } = await startChecked({ image, parts: { returnVerifyImageHash: 'true' } })
    await capture()
    const hash = createHash('sha256').update(image).digest('hex').toUpperCase()
    expect((await attempts())[0]?.result?.verifyImageHash).toBe(hash)
  })
})

describe('what the documents say in two ways', () => {
  it('can be had in the other way too', async () => {
    const { capture, sessionId, orders, read } = await startChecked()
    await capture()
    await capture()
    await orders.behave({ status: 'current', attempts: 'oldest first', decisions: 'camel case' })
    const { body } = await read(sessionId)
    expect(body).toMatchObject({
      status: 'Succeeded',
      results: { attempts: [{ attemptId: 1, result: { livenessDecision: 'realFace' } }, { attemptId: 2 }] },
    })
  })
})

describe('the life of a session', () => {
  it('ends when it is deleted, with its image and its token', async () => {
    const { sessionId, capture, orders, read, remove } = await startChecked()
    expect(await orders.held()).toMatchObject([{ id: sessionId, resource: 'contoso', images: [{}] }])
    const { status, headers } = await remove(sessionId)
    expect([status, headers.get('content-length')]).toEqual([204, null])
    expect(await orders.held()).toEqual([])
    await expect(capture()).rejects.toThrow('401')
    expect((await read(sessionId)).body.error?.code).toBe('SessionNotFound')
    expect((await remove(sessionId)).status).toBe(404)
  })

  it('ends after 48 hours', async () => {
    const { sessionId, orders, read } = await startChecked()
    await orders.age(48 * HOURS - 2_000)
    expect((await read(sessionId)).status).toBe(200)
    await orders.age(2_000)
    expect((await read(sessionId)).status).toBe(404)
    expect(await orders.held()).toEqual([])
  })

  it('outlasts that of its token, which was asked for', async () => {
    const { sessionId, capture, orders, read } = await startChecked({
      parts: { authTokenTimeToLiveInSeconds: '60' },
    })
    await orders.age(60_000)
    await expect(capture()).rejects.toThrow('401')
    expect((await read(sessionId)).body.results.attempts).toEqual([])
  })

  it('keeps the picture of the person where that was asked for', async () => {
    const { capture, attempts, orders } = await startChecked({ parts: { enableSessionImage: 'true' } })
    await capture()
    expect((await attempts())[0]?.result).toHaveProperty('sessionImageId')
    expect((await orders.held())[0]?.images).toHaveLength(2)
  })
})
