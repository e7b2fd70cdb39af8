import { describe, expect, it } from 'vitest'
import { startRegion, THEIRS } from './region.ts'

const MINUTES = 60_000

describe('an outage of AWS', () => {
  it('throttles for as long as it was told', async () => {
    const { call, orders } = await startRegion()
    await orders.trouble({ kind: 'throttled', forMs: 10 * MINUTES })
    expect(await call('CreateFaceLivenessSession', {})).toMatchObject({
      status: 500,
      body: { __type: 'ThrottlingException', Code: 'ThrottlingException' },
    })
    await orders.age(10 * MINUTES)
    expect((await call('CreateFaceLivenessSession', {})).status).toBe(200)
  })

  it('throttles STS in its own words', async () => {
    const { assumeRole, orders } = await startRegion()
    await orders.trouble({ kind: 'throttled', times: 1 })
    expect(await assumeRole()).toMatchObject({ status: 400, code: 'Throttling' })
    expect((await assumeRole()).status).toBe(200)
  })

  it('breaks one operation of one account, and nothing is done meanwhile', async () => {
    const { call, createSession, orders } = await startRegion()
    await orders.trouble({
      kind: 'broken',
      operations: ['CreateFaceLivenessSession'],
      accounts: ['111122223333'],
    })
    expect(await call('CreateFaceLivenessSession', {})).toMatchObject({
      status: 500,
      body: { __type: 'InternalServerError' },
    })
    expect(await createSession({}, { by: THEIRS })).toMatch(/^[0-9a-f-]{36}$/)
    expect((await call('CompareFaces', {})).body['__type']).toBe('InvalidParameterException')
    expect(await orders.held()).toHaveLength(1)
    await orders.calm()
    expect((await call('CreateFaceLivenessSession', {})).status).toBe(200)
  })

  it('loses the answer of what was done, and the token finds it again', async () => {
    const { call, createSession, orders } = await startRegion()
    await orders.trouble({ kind: 'answer-lost', times: 1 })
    const token = { ClientRequestToken: 'check-1' }
    await expect(call('CreateFaceLivenessSession', token)).rejects.toThrow('fetch failed')
    expect(await orders.held()).toMatchObject([{ id: await createSession(token) }])
  })

  it('says nothing at all', async () => {
    const { url, orders } = await startRegion()
    await orders.trouble({ kind: 'silent' })
    await expect(fetch(url, { method: 'POST', signal: AbortSignal.timeout(100) })).rejects.toThrow('timeout')
    await expect.poll(() => orders.heard()).toMatchObject([{ status: 'silence', troubles: ['silent'] }])
  })

  it('cuts its answer in the middle', async () => {
    const { call, orders } = await startRegion()
    await orders.trouble({ kind: 'truncated' })
    await expect(call('CreateFaceLivenessSession', {})).rejects.toThrow(SyntaxError)
  })

  it('answers with a page instead', async () => {
    const { call, orders } = await startRegion()
    await orders.trouble({ kind: 'nonsense' })
    await expect(call('CreateFaceLivenessSession', {})).rejects.toThrow(SyntaxError)
  })

  it('sends its caller elsewhere', async () => {
    const { url, orders } = await startRegion()
    await orders.trouble({ kind: 'redirected', to: 'http://127.0.0.1:1/' })
    const response = await fetch(url, { method: 'POST', redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([307, 'http://127.0.0.1:1/'])
  })

  it('answers late', async () => {
    const { createSession, orders } = await startRegion()
    await orders.trouble({ kind: 'slow', delayMs: 50 })
    const startedMs = performance.now()
    await createSession()
    expect(performance.now() - startedMs).toBeGreaterThan(49)
  })

  it('answers with another session, or with what no status is', async () => {
    const { call, createSession, orders } = await startRegion()
    const input = { SessionId: await createSession() }
    const operations = ['GetFaceLivenessSessionResults']
    await orders.trouble({ kind: 'altered', at: ['SessionId'], to: 'another', operations })
    await orders.trouble({ kind: 'altered', at: ['Status'], to: 'PERFECT', operations })
    expect((await call('GetFaceLivenessSessionResults', input)).body).toEqual({
      SessionId: 'another',
      Status: 'PERFECT',
    })
  })
})

describe('the log of AWS', () => {
  it('says who asked for what and how it came out, and no secret', async () => {
    const { call, createSession, orders } = await startRegion()
    const sessionId = await createSession()
    await call('GetFaceLivenessSessionResults', { SessionId: sessionId }, { by: THEIRS })
    const heard = await orders.heard()
    expect(heard).toMatchObject([
      { account: '111122223333', operation: 'CreateFaceLivenessSession', status: 200, code: null, sessionId },
      { account: '444455556666', status: 400, code: 'SessionNotFoundException', sessionId },
    ])
    expect(JSON.stringify(heard)).not.toMatch(/secret|AKIA/)
    await orders.forgetHeard()
    expect(await orders.heard()).toEqual([])
  })
})
