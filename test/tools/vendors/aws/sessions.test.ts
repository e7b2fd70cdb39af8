import { describe, expect, it } from 'vitest'
import { captureForAws } from '../../../../tools/vendors/aws/device.ts'
import { scenes } from '../../../../tools/vendors/people/camera.ts'
import { pictureOf } from '../../../../tools/vendors/people/picture.ts'
import { REGION, startRegion, THEIRS } from './region.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MINUTES = 60_000

/** A Region, and a session of ours whose device has credentials. */
const startChecked = async (input: unknown = {}) => {
  const region = await startRegion()
  const sessionId = await region.createSession(input)
  const { credentials } = await region.assumeRole()
  const device = { endpoint: region.url, region: REGION, sessionId, credentials }
  const results = () => region.call('GetFaceLivenessSessionResults', { SessionId: sessionId })
  return { ...region, sessionId, device, results }
}

describe('a session of Face Liveness', () => {
  it('is created, and has no data before the check', async () => {
    const { sessionId, results } = await startChecked()
    expect(sessionId).toMatch(UUID)
    expect(await results()).toEqual({ status: 200, body: { SessionId: sessionId, Status: 'CREATED' } })
  })

  it('has confidence and a picture of the person after the check', async () => {
    const { device, results, sessionId } = await startChecked()
    await captureForAws(device)
    const { body } = await results()
    expect(body).toMatchObject({
      SessionId: sessionId,
      Status: 'SUCCEEDED',
      Confidence: 99.1,
      AuditImages: [],
      Challenge: { Type: 'FaceMovementAndLightChallenge' },
    })
    const { Bytes } = body['ReferenceImage'] as { readonly Bytes: string }
    expect(pictureOf(Buffer.from(Bytes, 'base64'))?.faces).toEqual([{ person: 'holder' }])
  })

  it.each([
    ['a spoof', scenes.spoof, { Status: 'SUCCEEDED', Confidence: 3.2 }],
    ['a scripted score', { ...scenes.holder, livenessScore: 87.6543210987 }, { Confidence: 87.6543210987 }],
    ['nobody', scenes.nobody, { Status: 'FAILED' }],
    ['somebody who goes away', scenes.goesAway, { Status: 'IN_PROGRESS' }],
    ['no sharp picture', { ...scenes.holder, isUnsharp: true }, { Status: 'SUCCEEDED' }],
  ])('tells of %s in front of the camera', async (_, scene, told) => {
    const { device, results, orders } = await startChecked()
    await orders.setUp([scene])
    await captureForAws(device)
    const { body } = await results()
    expect(body).toMatchObject(told)
    expect('ReferenceImage' in body).toBe(body['Status'] === 'SUCCEEDED' && !('isUnsharp' in scene))
  })

  it('shows the device whose scene it tells itself', async () => {
    const { device, results } = await startChecked()
    await captureForAws({ ...device, scene: scenes.spoof })
    expect((await results()).body).toMatchObject({ Confidence: 3.2 })
  })

  it('keeps as many audit images as were asked for', async () => {
    const { device, results, orders, sessionId } = await startChecked({ Settings: { AuditImagesLimit: 2 } })
    await captureForAws(device)
    expect((await results()).body['AuditImages']).toHaveLength(2)
    expect(await orders.held()).toMatchObject([{ id: sessionId, images: [{}, {}, {}] }])
  })

  it('is for one check: a second one fails and leaves the result of the first', async () => {
    const { device, results, orders } = await startChecked()
    await captureForAws(device)
    await orders.setUp([scenes.spoof])
    await expect(captureForAws(device)).rejects.toThrow('ValidationException')
    expect((await results()).body).toMatchObject({ Confidence: 99.1 })
  })

  it('belongs to its account', async () => {
    const { call, sessionId, orders, device, assumeRole } = await startChecked()
    const input = { SessionId: sessionId }
    const answer = await call('GetFaceLivenessSessionResults', input, { by: THEIRS })
    expect(answer).toMatchObject({ status: 400, body: { __type: 'SessionNotFoundException' } })
    const { credentials } = await assumeRole({}, { by: THEIRS })
    await expect(captureForAws({ ...device, credentials })).rejects.toThrow('SessionNotFoundException')
    expect(await orders.held()).toMatchObject([{ account: '111122223333', status: 'CREATED' }])
  })
})

describe('the three minutes of a session', () => {
  it('end its data, used or not', async () => {
    const { device, results, orders, sessionId } = await startChecked()
    await captureForAws(device)
    await orders.age(3 * MINUTES - 2_000)
    expect((await results()).body).toMatchObject({ Status: 'SUCCEEDED' })
    await orders.age(2_000)
    expect(await results()).toEqual({ status: 200, body: { SessionId: sessionId, Status: 'EXPIRED' } })
    expect(await orders.held()).toEqual([])
  })

  it('end a check that has not begun', async () => {
    const { device, orders } = await startChecked()
    await orders.age(3 * MINUTES)
    await expect(captureForAws(device)).rejects.toThrow('SessionNotFoundException')
  })

  it('may also make it unknown, which the documents leave open', async () => {
    const { results, orders } = await startChecked()
    await orders.behave({ afterExpiry: 'not found' })
    await orders.age(3 * MINUTES)
    expect(await results()).toMatchObject({ status: 400, body: { __type: 'SessionNotFoundException' } })
  })
})

describe('the token of a request for a session', () => {
  const token = { ClientRequestToken: 'cred-check_1' }

  it('gets the same session again, also a dead one, and another one for another account', async () => {
    const { createSession, orders } = await startRegion()
    const first = await createSession(token)
    expect(await createSession(token)).toBe(first)
    expect(await createSession(token, { by: THEIRS })).not.toBe(first)
    expect(await createSession({ ClientRequestToken: 'cred-check_2' })).not.toBe(first)
    await orders.age(10 * MINUTES)
    expect(await createSession(token)).toBe(first)
  })

  it('is not needed, and then each request gets a session of its own', async () => {
    const { createSession } = await startRegion()
    expect(await createSession()).not.toBe(await createSession())
  })
})

describe('what a session is asked for with', () => {
  it.each([
    ['a token with other signs', { ClientRequestToken: 'cre:1' }],
    ['a token that is too long', { ClientRequestToken: 'x'.repeat(65) }],
    ['an empty token', { ClientRequestToken: '' }],
    ['five audit images', { Settings: { AuditImagesLimit: 5 } }],
    ['a bucket', { Settings: { OutputConfig: { S3Bucket: 'images' } } }],
    ['a key of its own', { KmsKeyId: 'alias/images' }],
    ['an unknown challenge', { Settings: { ChallengePreferences: [{ Type: 'SmileChallenge' }] } }],
    ['a misspelt member', { clientRequestToken: 'cred-check-1' }],
  ])('is refused with %s', async (_, input) => {
    const { call } = await startRegion()
    expect(await call('CreateFaceLivenessSession', input)).toMatchObject({
      status: 400,
      body: { __type: 'InvalidParameterException', Code: 'InvalidParameterException' },
    })
  })

  it('may prefer a challenge', async () => {
    const preferred = { Settings: { ChallengePreferences: [{ Type: 'FaceMovementChallenge' }] } }
    const { device, results } = await startChecked(preferred)
    await captureForAws(device)
    expect((await results()).body).toMatchObject({ Challenge: { Type: 'FaceMovementChallenge' } })
  })
})

describe('results', () => {
  it.each([['x'], ['00000000-0000-4000-8000-00000000000G'], [7], [undefined]])(
    'are not asked for with %s',
    async (id) => {
      const { call } = await startRegion()
      expect(await call('GetFaceLivenessSessionResults', { SessionId: id })).toMatchObject({
        status: 400,
        body: { __type: 'InvalidParameterException' },
      })
    },
  )

  it('of a session that there never was are not there', async () => {
    const { call } = await startRegion()
    const input = { SessionId: '00000000-0000-4000-8000-000000000000' }
    expect((await call('GetFaceLivenessSessionResults', input)).body).toMatchObject({
      __type: 'SessionNotFoundException',
      Message: expect.any(String) as string,
    })
  })
})
