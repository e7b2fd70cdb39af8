import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ApiError, createClient, NoAnswerError } from '../../client/src/index.ts'
import { startScripted } from './parts/scripted-server.ts'

const soon = { pauseFirstMs: 1 }
const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

const scripted = async (...answers: Parameters<typeof startScripted>[0]) => {
  const server = await startScripted(answers)
  open.push(server.close)
  return server
}
const OK = { status: 201, body: JSON.stringify({ invitationId: 'i', invitationUrl: 'u', multiUse: false }) }

describe('a call', () => {
  it('is sent again after 5xx and 429 with the same key', async () => {
    const progress = { status: 409, body: '{"error":"idempotency_in_progress","reason":"Wait."}' }
    const server = await scripted({ status: 503 }, { status: 429 }, { status: 500 }, progress, OK)
    const client = createClient({ baseUrl: server.url, apiKey: 'k', retries: soon })
    expect(await client.createInvitation({})).toMatchObject({ invitationId: 'i' })
    const keys = new Set(server.seen.map(({ headers }) => headers['idempotency-key']))
    expect([server.seen.length, keys.size]).toEqual([5, 1])
  })

  it('has a key of its own each time', async () => {
    const server = await scripted(OK)
    const client = createClient({ baseUrl: server.url, apiKey: 'k' })
    await client.createInvitation({})
    await client.createInvitation({})
    expect(new Set(server.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(2)
  })

  it('waits for Retry-After', async () => {
    const server = await scripted({ status: 429, headers: { 'Retry-After': '1' } }, OK)
    await createClient({ baseUrl: server.url, apiKey: 'k', retries: soon }).createInvitation({})
    const [first, second] = server.seen
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(995)
  })

  it('gives up at once when it would have to wait too long', async () => {
    const server = await scripted({
      status: 429,
      headers: { 'Retry-After': '3600', 'X-Request-Id': 'req_1' },
      body: '{"error":"rate_limited","reason":"Too many."}',
    })
    const client = createClient({ baseUrl: server.url, apiKey: 'k' })
    const refused = await client.createInvitation({}).catch((error: unknown) => error)
    const facts = { error: 'rate_limited', reason: 'Too many.', requestId: 'req_1', attempts: 1 }
    expect(refused).toMatchObject({ name: 'ApiError', ...facts })
  })

  it('gives up after its attempts, and says what answered last', async () => {
    const server = await scripted({ status: 502, body: '<html>' })
    const client = createClient({
      baseUrl: server.url,
      apiKey: 'k',
      retries: { ...soon, attemptsMax: 3 },
    })
    const refused = await client.getLedger().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({ status: 502, error: 'unknown', attempts: 3 })
  })

  it('that is not answered in time ends with the key to send it again', async () => {
    const server = await scripted({ status: 200, silent: true })
    // Each attempt's time is over when its request has arrived: a busy machine would need more than a short time for that.
    let attempts = 0
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const passing = new AbortController()
      const wanted = ++attempts
      const arrived = () => expect(server.seen.length).toBe(wanted)
      void vi.waitFor(arrived, { timeout: 60_000, interval: 5 }).then(() => passing.abort())
      return passing.signal
    })
    onTestFinished(() => timeout.mockRestore())
    const retries = { ...soon, attemptsMax: 2 }
    const client = createClient({ baseUrl: server.url, apiKey: 'k', timeoutMs: 50, retries })
    const lost = await client
      .createInvitation({}, { idempotencyKey: 'mine' })
      .catch((error: unknown) => error)
    expect(lost).toBeInstanceOf(NoAnswerError)
    expect(lost).toMatchObject({ attempts: 2, idempotencyKey: 'mine' })
    expect(server.seen.length).toBe(2)
    expect(timeout.mock.calls).toEqual([[50], [50]])
  })

  it('is not taken for answered when its answer was cut off', async () => {
    const server = await scripted({ status: 201, body: '{"invitationId":' }, OK)
    const client = createClient({ baseUrl: server.url, apiKey: 'k', retries: soon })
    expect(await client.createInvitation({})).toMatchObject({ invitationId: 'i' })
  })

  it('ends with its signal, also while it waits', async () => {
    const server = await scripted({ status: 503, headers: { 'Retry-After': '30' } })
    const controller = new AbortController()
    const client = createClient({ baseUrl: server.url, apiKey: 'k' })
    const call = client.createInvitation({}, { signal: controller.signal }).catch((error: unknown) => error)
    await expect.poll(() => server.seen.length).toBe(1)
    controller.abort(new Error('enough'))
    expect(await call).toMatchObject({ message: 'enough' })
  })

  it('asks for its key before every attempt', async () => {
    const server = await scripted({ status: 503 }, OK)
    let asked = 0
    const apiKey = () => Promise.resolve(`key ${++asked}`)
    await createClient({ baseUrl: server.url, apiKey, retries: soon }).createInvitation({})
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer key 1', 'Bearer key 2'])
  })

  it('follows no redirect, which would carry the key elsewhere', async () => {
    const target = await scripted(OK)
    const server = await scripted({ status: 307, headers: { Location: target.url } })
    const client = createClient({ baseUrl: server.url, apiKey: 'k', retries: { ...soon, attemptsMax: 1 } })
    await expect(client.createInvitation({})).rejects.toBeInstanceOf(NoAnswerError)
    expect(target.seen.length).toBe(0)
  })

  it('stays below the path of its base, and encodes ids', async () => {
    const server = await scripted({ status: 200, body: '{}' })
    await createClient({ baseUrl: `${server.url}/api/`, apiKey: 'k' }).getConnection('../a b')
    expect(server.seen[0]?.url).toBe('/api/v1/connections/..%2Fa%20b')
  })
})

it('a key does not travel in clear to another machine', () => {
  expect(() => createClient({ baseUrl: 'http://vouchsafe.example', apiKey: 'k' })).toThrow('https')
  expect(() => createClient({ baseUrl: 'http://localhost:8080', apiKey: 'k' })).not.toThrow()
})
