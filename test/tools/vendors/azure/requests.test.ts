import { describe, expect, it } from 'vitest'
import { type Portrait, portrait } from '../../../../tools/vendors/people/portrait.ts'
import { formOf, HOLDER, OURS, SESSIONS, startFaceApi, THEIRS } from './face-api.ts'

const of = (...people: readonly string[]): Portrait => ({ faces: people.map((person) => ({ person })) })

describe('a caller', () => {
  it.each([
    ['a wrong one', 'guessed'],
    ['an empty one', ''],
    ['the beginning of one', 'first-of-our'],
  ])('is refused with %s for a key', async (_, key) => {
    const { create } = await startFaceApi()
    const { status, headers, body } = await create({ key })
    expect([status, headers.get('x-ms-error-code')]).toEqual([401, '401'])
    expect(body).toEqual({
      error: {
        code: '401',
        message: expect.stringMatching(/^Access denied due to invalid subscription key/) as string,
      },
    })
  })

  it('may use either key, until it is changed', async () => {
    const { create, orders } = await startFaceApi()
    expect((await create({ key: 'second-of-ours' })).status).toBe(200)
    await orders.putResource({ ...OURS, keys: ['third-of-ours'] })
    expect((await create({ key: 'second-of-ours' })).status).toBe(401)
    expect((await create({ key: 'third-of-ours' })).status).toBe(200)
  })

  it('whose resource is not approved for verification creates no session', async () => {
    const { create, orders } = await startFaceApi()
    await orders.putResource({ ...OURS, isApproved: false })
    const { status, body } = await create()
    expect([status, body.error?.code]).toEqual([403, 'UnsupportedFeature'])
    expect((await create({ key: 'first-of-theirs' })).status).toBe(200)
  })

  it('does not know the sessions of another resource', async () => {
    const { create, read, remove, orders } = await startFaceApi()
    const { sessionId } = (await create()).body
    const [key] = THEIRS.keys
    expect((await read(sessionId, key)).body.error?.code).toBe('SessionNotFound')
    expect((await remove(sessionId, key)).status).toBe(404)
    expect(await orders.held()).toHaveLength(1)
  })

  it('who is too fast has to wait, and others have not', async () => {
    const { create, read, orders } = await startFaceApi()
    await orders.behave({ quota: { calls: 1, perMs: 1_000 } })
    const { sessionId } = (await create()).body
    const { status, headers, body } = await read(sessionId)
    expect([status, headers.get('retry-after'), body.error?.code]).toEqual([429, '1', '429'])
    expect((await create({ key: 'first-of-theirs' })).status).toBe(200)
    await orders.age(1_000)
    expect((await read(sessionId)).status).toBe(200)
  })

  it.each([
    ['GET', SESSIONS],
    ['PUT', `${SESSIONS}/1`],
    ['POST', '/face/v1.3/detectLivenessWithVerify-sessions'],
    ['POST', '/face/v1.2/detect'],
    ['POST', `${SESSIONS}?api-version=v1.2`],
  ])('finds nothing at %s %s', async (method, path) => {
    const { call } = await startFaceApi()
    expect((await call(method, path, {})).status).toBe(404)
  })
})

describe('a request for a session', () => {
  it.each([
    ['no mode', { livenessOperationMode: null }, 'InvalidLivenessOperationMode'],
    ['a mode in lower case', { livenessOperationMode: 'passive' }, 'InvalidLivenessOperationMode'],
    ['no device', { deviceCorrelationId: null }, 'InvalidDeviceCorrelationId'],
    ['an empty device', { deviceCorrelationId: '' }, 'InvalidDeviceCorrelationId'],
    ['a device of 65 signs', { deviceCorrelationId: 'x'.repeat(65) }, 'InvalidDeviceCorrelationId'],
    [
      'a device that the client sets',
      { deviceCorrelationIdSetInClient: 'true' },
      'InvalidDeviceCorrelationId',
    ],
    ['59 seconds', { authTokenTimeToLiveInSeconds: '59' }, 'InvalidTokenLifetime'],
    ['more than a day', { authTokenTimeToLiveInSeconds: '86401' }, 'InvalidTokenLifetime'],
    ['half a second', { authTokenTimeToLiveInSeconds: '60.5' }, 'InvalidTokenLifetime'],
    ['a flag that is none', { enableSessionImage: 'no' }, 'InvalidRequestBody'],
    ['a threshold in percent', { verifyConfidenceThreshold: '70' }, 'InvalidRequestBody'],
    ['an unknown model', { livenessModelVersion: '2020-02-15' }, 'InvalidRequestBody'],
    ['the parameters of v1.1', { Parameters: '{"livenessOperationMode":"Passive"}' }, 'InvalidRequestBody'],
  ])('is refused with %s', async (_, parts, code) => {
    const { create, orders } = await startFaceApi()
    const { status, body } = await create({ parts })
    expect([status, body.error?.code]).toEqual([400, code])
    expect(await orders.held()).toEqual([])
  })

  it.each([
    ['nobody', of(), 'InvalidImage', 'No face detected in the image.'],
    ['two people', of('alice', 'bob'), 'InvalidImage', 'There is more than 1 face in the image.'],
    [
      'a face too small',
      { ...HOLDER, width: 35, bytes: 1_024 },
      'InvalidImage',
      'No face detected in the image.',
    ],
    ['no image', Buffer.alloc(2_000), 'InvalidImage', 'Decoding error, image format unsupported.'],
    ['less than 1 KB', Buffer.alloc(1_023), 'InvalidImageSize', 'Image size is too small.'],
    ['more than 6 MB', { ...HOLDER, bytes: 6_291_457 }, 'InvalidImageSize', 'Image size is too big.'],
  ])('is refused with %s on the image', async (_, image, code, message) => {
    const { create } = await startFaceApi()
    const { status, body } = await create({ image })
    expect(status).toBe(400)
    expect(body.error).toEqual({ code, message })
  })

  it.each(['jpeg', 'png'] as const)('takes the largest %s', async (format) => {
    const { create, orders } = await startFaceApi()
    expect((await create({ image: { ...HOLDER, format, bytes: 6_291_456 } })).status).toBe(200)
    expect(await orders.heard()).toMatchObject([
      { operation: 'CreateSession', images: [{ bytes: 6_291_456 }] },
    ])
  })

  it('needs a name for the file of the image', async () => {
    const { call } = await startFaceApi()
    const form = formOf({})
    const text = portrait(HOLDER).toString('latin1')
    form.set('verifyImage', text)
    expect((await call('POST', SESSIONS, { body: form })).body.error?.code).toBe('InvalidRequestBody')
  })

  it('is refused as JSON, where the image would come from the device', async () => {
    const { call } = await startFaceApi()
    const body = JSON.stringify({ livenessOperationMode: 'Passive', deviceCorrelationId: '1' })
    const headers = { 'content-type': 'application/json' }
    expect((await call('POST', SESSIONS, { body, headers })).body.error?.code).toBe('InvalidRequestBody')
  })

  it.each([
    ['no end', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x'],
    ['a part without a name', '--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--'],
    ['a part twice', `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(2)}--x--`],
    ['something in front', `hello\r\n--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--`],
    ['something behind', `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--hello`],
  ])('is refused with %s', async (_, body) => {
    const { call } = await startFaceApi()
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    expect((await call('POST', SESSIONS, { body, headers })).body.error?.code).toBe('InvalidRequestBody')
  })
})

describe('an outage of Azure', () => {
  it('throttles and breaks in its own words', async () => {
    const { create, orders } = await startFaceApi()
    await orders.trouble({ kind: 'throttled', times: 1 })
    await orders.trouble({ kind: 'broken', times: 2 })
    expect((await create()).body.error).toEqual({ code: '429', message: 'Rate limit is exceeded.' })
    expect((await create()).status).toBe(500)
    expect((await create()).status).toBe(200)
  })

  it('answers with the result for another image', async () => {
    const { create, read, orders } = await startFaceApi()
    const { sessionId } = (await create({ parts: { returnVerifyImageHash: 'true' } })).body
    const at = ['results', 'attempts', 0]
    await orders.trouble({ kind: 'altered', operations: ['GetSession'], at, to: { attemptId: 1 } })
    expect((await read(sessionId)).body.results.attempts).toEqual([])
    await orders.trouble({ kind: 'altered', operations: ['GetSession'], at: ['sessionId'], to: 'another' })
    expect((await read(sessionId)).body.sessionId).toBe('another')
  })

  it('deletes, and loses the answer', async () => {
    const { create, remove, orders } = await startFaceApi()
    const { sessionId } = (await create()).body
    await orders.trouble({ kind: 'answer-lost', operations: ['DeleteSession'] })
    await expect(remove(sessionId)).rejects.toThrow('fetch failed')
    expect(await orders.held()).toEqual([])
  })

  it('is remembered with the calls that it met', async () => {
    const { create, orders } = await startFaceApi()
    await orders.trouble({ kind: 'unreachable', accounts: ['contoso'] })
    await expect(create()).rejects.toThrow('fetch failed')
    expect(await orders.heard()).toMatchObject([
      {
        account: 'contoso',
        operation: 'CreateSession',
        status: 'reset',
        troubles: ['unreachable'],
        images: [],
      },
    ])
  })
})
