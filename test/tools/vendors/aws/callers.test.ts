import { describe, expect, it } from 'vitest'
import { captureForAws } from '../../../../tools/vendors/aws/device.ts'
import { signingTime } from '../../../../tools/vendors/aws/signature/signature.ts'
import { JSON_1_1, OURS, REGION, startRegion, THEIRS } from './region.ts'

const MINUTES = 60_000
const at = (offsetMs: number) => ({ time: signingTime(Date.now() + offsetMs) })

describe('a caller', () => {
  it.each([
    ['an unknown key', { accessKeyId: 'AKIAUNKNOWNEXAMPLE00' }, 'UnrecognizedClientException'],
    ['a wrong secret', { secretAccessKey: 'guessed' }, 'InvalidSignatureException'],
    ['another region', { region: 'us-east-1' }, 'InvalidSignatureException'],
    ['another service', { service: 'sts' }, 'InvalidSignatureException'],
    ['a token with a lasting key', { sessionToken: 'made-up' }, 'UnrecognizedClientException'],
    ['a time without a meaning', { time: '20159930T123600Z' }, 'IncompleteSignatureException'],
  ])('is refused with %s', async (_, signing, code) => {
    const { call } = await startRegion()
    const { status, body } = await call('CreateFaceLivenessSession', {}, { signing })
    expect({ status, code: body['__type'] }).toEqual({ status: 400, code })
    expect(Object.keys(body)).toEqual(['__type', 'message'])
  })

  it('is refused without a signature', async () => {
    const { url } = await startRegion()
    const headers = { 'content-type': JSON_1_1, 'x-amz-target': 'RekognitionService.CompareFaces' }
    const response = await fetch(url, { method: 'POST', headers, body: '{}' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ __type: 'MissingAuthenticationTokenException' })
  })

  it('is refused when the body is not the one that was signed', async () => {
    const { call } = await startRegion()
    const { body } = await call('CreateFaceLivenessSession', {}, { sent: '{"ClientRequestToken":"other"}' })
    expect(body).toMatchObject({
      __type: 'InvalidSignatureException',
      message: expect.stringContaining('does not match') as string,
    })
  })

  it('is refused when a header of AWS is not covered by the signature', async () => {
    const { call } = await startRegion()
    const unsigned = { 'X-Amz-Meta': 'added on the way' }
    expect((await call('CreateFaceLivenessSession', {}, { unsigned })).body).toMatchObject({
      message: "'x-amz-meta' must be a 'SignedHeader' in the AWS Authorization.",
    })
  })

  it('is refused when the hash that it announces is not that of the body', async () => {
    const { call } = await startRegion()
    const headers = { 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' }
    expect((await call('CreateFaceLivenessSession', {}, { headers })).body).toMatchObject({
      __type: 'InvalidSignatureException',
    })
  })

  it('may be up to five minutes off, and no more', async () => {
    const { call, orders } = await startRegion()
    const answerAt = async (offsetMs: number) =>
      (await call('CreateFaceLivenessSession', {}, { signing: at(offsetMs) })).body
    expect(await answerAt(-4 * MINUTES)).toHaveProperty('SessionId')
    expect(await answerAt(4 * MINUTES)).toHaveProperty('SessionId')
    expect(await answerAt(-6 * MINUTES)).toMatchObject({
      __type: 'InvalidSignatureException',
      message: expect.stringMatching(
        /^Signature expired: \d{8}T\d{6}Z is now earlier than .* - 5 min\.\)$/,
      ) as string,
    })
    expect(await answerAt(6 * MINUTES)).toMatchObject({
      message: expect.stringMatching(/^Signature not yet current: .* \+ 5 min\.\)$/) as string,
    })
    await orders.setClock(10 * MINUTES)
    expect(await answerAt(0)).toMatchObject({ __type: 'InvalidSignatureException' })
    expect(await answerAt(10 * MINUTES)).toHaveProperty('SessionId')
  })

  it('learns nothing of an operation that is not simulated', async () => {
    const { call } = await startRegion()
    expect(await call('IndexFaces', {})).toMatchObject({
      status: 400,
      body: { __type: 'UnknownOperationException' },
    })
  })

  it('is told that a body is no JSON', async () => {
    const { call } = await startRegion()
    expect((await call('CreateFaceLivenessSession', [])).body).toMatchObject({
      __type: 'SerializationException',
    })
  })

  it('that makes too many calls has to wait, and others have not', async () => {
    const { call, orders } = await startRegion()
    await orders.behave({ quota: { calls: 2, perMs: 1_000 } })
    const codes = []
    for (let calls = 0; calls < 3; calls += 1)
      codes.push((await call('CreateFaceLivenessSession', {})).body['__type'])
    expect(codes).toEqual([undefined, undefined, 'ProvisionedThroughputExceededException'])
    expect((await call('CreateFaceLivenessSession', {}, { by: THEIRS })).status).toBe(200)
    await orders.age(1_000)
    expect((await call('CreateFaceLivenessSession', {})).status).toBe(200)
  })
})

describe('temporary credentials', () => {
  it('let a device begin its check, until they run out', async () => {
    const { assumeRole, createSession, orders, url } = await startRegion()
    const { credentials, expiration, status } = await assumeRole({ DurationSeconds: '900' })
    expect(status).toBe(200)
    expect(Date.parse(expiration) - Date.now()).toBeGreaterThan(890_000)
    const capture = async () =>
      captureForAws({ endpoint: url, region: REGION, sessionId: await createSession(), credentials })
    await capture()
    await orders.age(900_000)
    await expect(capture()).rejects.toThrow('ExpiredTokenException')
  })

  it('are nothing without their token', async () => {
    const { assumeRole, call } = await startRegion()
    const { credentials } = await assumeRole()
    const { sessionToken: _, ...halved } = credentials
    expect((await call('CompareFaces', {}, { signing: halved })).body).toMatchObject({
      __type: 'UnrecognizedClientException',
    })
  })

  it('are good for the device alone', async () => {
    const { assumeRole, call } = await startRegion()
    const { credentials } = await assumeRole()
    expect((await call('CompareFaces', {}, { signing: credentials })).body).toMatchObject({
      __type: 'AccessDeniedException',
      Message:
        'User: arn:aws:sts::111122223333:assumed-role/vouchsafe-device/device is not authorized to perform: ' +
        'rekognition:CompareFaces because no identity-based policy allows the rekognition:CompareFaces action',
    })
  })

  it('end when the account is set up anew', async () => {
    const { assumeRole, call, orders } = await startRegion()
    const { credentials } = await assumeRole()
    await orders.putAccount(OURS)
    expect((await call('CompareFaces', {}, { signing: credentials })).body).toMatchObject({
      __type: 'UnrecognizedClientException',
    })
  })
})
