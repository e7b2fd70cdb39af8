import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { PublicEvent } from '../../../src/ports/publication.ts'
import { limits } from '../../../src/domain/limits.ts'
import { startNodeServer } from '../../../src/http/server/node-server.ts'
import type { HttpServer } from '../../../src/http/server/server.ts'
import { startUwsServer } from '../../../src/http/server/uws-server.ts'
import { createTenant } from '../../../src/actors/tenant/commands.ts'
import { apiKeyTokens } from '../../../src/actors/api-key/commands.ts'
import { type ApiOnMemory, administrator, apiOnMemory } from '../../compose/api-on-memory.ts'
import { consolePeople, type Person } from '../../compose/console-people.ts'
import { allowed } from '../account/accounts-world.ts'
import { eventually } from '../../eventually.ts'

const PATH = '/v1/events/stream'

describe.each([
  ['uWebSockets.js', startUwsServer],
  ['node:http', startNodeServer],
])('GET /v1/events/stream on %s', (_, start) => {
  let api: ApiOnMemory
  let server: HttpServer
  let people: ReturnType<typeof consolePeople>
  let operator: Person
  beforeAll(async () => {
    api = await apiOnMemory()
    server = await start({ host: '127.0.0.1', port: 0, tls: null, bodyMemoryBytesMax: 1_000_000 }, api.door)
    people = consolePeople(api)
    operator = await people.enrol(null, 'operator@example.org', 'operator')
  })
  afterAll(async () => {
    server.stopAccepting()
    await server.drained()
    await server[Symbol.asyncDispose]()
    await api.close()
  })

  const newTenant = async () => {
    const { id } = allowed(await createTenant(api.service.useCases, 'Registry'))
    return { id, key: await api.keyOf(id) }
  }
  const publish = (tenant: string, ...numbers: readonly number[]) =>
    api.stream.publish(
      numbers.map((no) => ({ place: { shard: 0, no, index: 0 }, event: eventOf(tenant, no) })),
    )

  const listen = async (key: string | Person, headers: Readonly<Record<string, string>> = {}) => {
    const controller = new AbortController()
    const credential = typeof key === 'string' ? { authorization: `Bearer ${key}` } : key.headers
    const response = await fetch(`http://127.0.0.1:${server.port}${PATH}`, {
      headers: { ...credential, ...headers },
      signal: controller.signal,
    })
    const got = { text: '', isOver: false }
    const reading = (async () => {
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) got.text += decoder.decode(chunk as Uint8Array)
    })()
    void reading.catch(() => undefined).finally(() => (got.isOver = true))
    const numbers = () => [...got.text.matchAll(/^id: evt_.*_(\d+)$/gm)].map((found) => Number(found[1]))
    return { response, got, numbers, leave: () => controller.abort() }
  }

  it('tells an organisation its own events as its webhook would get them, and not those of others', async () => {
    const [mine, theirs] = [await newTenant(), await newTenant()]
    const one = await listen(mine.key)
    const two = await listen(theirs.key)
    expect([one.response.status, one.response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream',
    ])
    expect(one.response.headers.get('ratelimit')).toMatch(/^"default";r=\d+/)
    await publish(mine.id, 1)
    await publish(theirs.id, 2)
    await eventually(() => expect([one.numbers(), two.numbers()]).toEqual([[1], [2]]))
    expect(one.got.text).not.toContain(theirs.id)
    const [, data = ''] = /^data: (.*)$/m.exec(one.got.text) ?? []
    expect(JSON.parse(data)).toEqual({
      id: `evt_${mine.id}_1`,
      type: 'connection.state_changed',
      createdAt: '2023-11-14T22:13:20.000Z',
      tenantId: mine.id,
      data: { id: 'con_1', state: 'completed', sequence: 1 },
    })
    one.leave()
    two.leave()
  })

  it('goes on behind the event that was seen last, and says when that is not known', async () => {
    const { id, key } = await newTenant()
    const first = await listen(key)
    await publish(id, 1)
    await eventually(() => expect(first.numbers()).toEqual([1]))
    first.leave()
    await publish(id, 2, 3)
    const again = await listen(key, { 'last-event-id': `evt_${id}_1` })
    await eventually(() => expect(again.numbers()).toEqual([2, 3]))
    expect(again.got.text).not.toContain('stream.gap')
    const unknown = await listen(key, { 'last-event-id': 'evt_of_somebody_else_1' })
    await eventually(() => expect(unknown.got.text).toContain('event: stream.gap\ndata: {}\n\n'))
    again.leave()
    unknown.leave()
  })

  it('goes on behind an event that cannot be read or is too large, and says so', async () => {
    const { id, key } = await newTenant()
    const reader = await listen(key)
    const of = (no: number, more: object = {}) => ({
      place: { shard: 0, no, index: 0 },
      event: { ...eventOf(id, no), ...more },
    })
    const large = { data: { text: 'x'.repeat(limits.eventStreamEventBytesMax) } }
    await api.stream.publish([of(1), of(2, { createdAtMs: Number.MAX_VALUE }), of(3, large), of(4)])
    await eventually(() => expect(reader.numbers()).toEqual([1, 2, 3, 4]))
    const leftOut = (no: number, reason: string): string =>
      `event: stream.left_out\ndata: {"id":"evt_${id}_${no}","reason":"${reason}"}\n\n`
    expect(reader.got.text).toContain(leftOut(2, 'unreadable'))
    expect(reader.got.text).toContain(leftOut(3, 'too_large'))
    expect(api.unreadable).toEqual([`evt_${id}_2`])
    reader.leave()
    const again = await listen(key, { 'last-event-id': `evt_${id}_2` })
    await eventually(() => expect(again.numbers()).toEqual([3, 4]))
    again.leave()
  })

  it('shows a made-up event to those who listen, without a place to go on from, and stores nothing of it', async () => {
    const [mine, theirs] = [await newTenant(), await newTenant()]
    const [one, two, other] = [await listen(mine.key), await listen(mine.key), await listen(theirs.key)]
    await publish(mine.id, 1)
    await eventually(() => expect([one.numbers(), two.numbers()]).toEqual([[1], [1]]))
    const committed = () => [...api.service.journal.events].map(([id, { length }]) => `${id} ${length}`)
    const before = committed()
    const answer = await api.send('POST', '/v1/events/trigger', {
      as: mine.key,
      body: { eventType: 'proof.state_changed' },
    })
    expect(answer).toMatchObject({
      status: 200,
      json: {
        id: expect.stringMatching(/^evt_test_[0-9a-z]{26}$/) as unknown,
        type: 'proof.state_changed',
        createdAt: expect.stringMatching(/Z$/) as unknown,
        listeners: 2,
      },
    })
    const { id, createdAt } = answer.json
    for (const { got } of [one, two]) await eventually(() => expect(got.text).toContain(String(id)))
    const [, frame = ''] = /\n\n(event: proof\.state_changed\ndata: .*)\n\n/.exec(one.got.text) ?? []
    expect(JSON.parse(frame.slice(frame.indexOf('{')))).toMatchObject({
      id,
      type: 'proof.state_changed',
      createdAt,
      tenantId: mine.id,
      data: { state: 'done', verified: true, updatedAt: createdAt, sequence: 1 },
    })
    expect([one.numbers(), committed()]).toEqual([[1], before])
    const late = await listen(mine.key, { 'last-event-id': `evt_${mine.id}_1` })
    await publish(mine.id, 2)
    await eventually(() => expect([late.numbers(), other.numbers()]).toEqual([[2], []]))
    expect([late.got.text, other.got.text].join('\n')).not.toContain(String(id))
    for (const each of [one, two, other, late]) each.leave()
  })

  it('answers a repeated order of a made-up event as it was answered first', async () => {
    const { key } = await newTenant()
    const order = () =>
      api.send('POST', '/v1/events/trigger', {
        as: key,
        body: { eventType: 'record.erased' },
        headers: { 'idempotency-key': 'once' },
      })
    const [first, again] = [await order(), await order()]
    expect([again.status, again.json]).toEqual([200, first.json])
    expect(again.headers['Idempotent-Replayed']).toBe('true')
  })

  it('makes nothing up for an organisation that is suspended, nor for people or wallets', async () => {
    const [{ id, key }, other] = [await newTenant(), await newTenant()]
    const order = (sent: object) =>
      api.send('POST', '/v1/events/trigger', { body: { eventType: 'record.erased' }, ...sent })
    for (const as of [administrator(id), { kind: 'wallet_token', tenantId: id, walletId: 'w' } as const])
      expect((await order({ as })).status).toBe(403)
    const target = `/v1/operator/tenants/${id}/suspend`
    expect((await api.send('POST', target, { headers: operator.headers })).status).toBe(200)
    const headers = (of: string) => ({ authorization: `Bearer ${of}` })
    const refused = await order({ headers: headers(key) })
    expect([refused.status, refused.json['error']]).toEqual([403, 'forbidden'])
    expect((await order({ headers: headers(other.key) })).status).toBe(200)
  })

  it('is refused to the sixth reader of an organisation, and not to another one', async () => {
    const [mine, theirs] = [await newTenant(), await newTenant()]
    const open = []
    for (let count = 0; count < limits.eventStreamsOfTenantMax; count++) open.push(await listen(mine.key))
    expect(open.map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 200])
    const refused = await listen(mine.key)
    expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '10'])
    await eventually(() => expect(JSON.parse(refused.got.text)).toMatchObject({ error: 'rate_limited' }))
    const other = await listen(theirs.key)
    expect(other.response.status).toBe(200)
    other.leave()
    open[0]?.leave()
    const next = await eventually(async () => {
      const tried = await listen(mine.key)
      expect(tried.response.status).toBe(200)
      return tried
    })
    for (const each of [...open, next]) each.leave()
  })

  it('keeps no place for HEAD', async () => {
    const { key } = await newTenant()
    for (let count = 0; count < 2 * limits.eventStreamsOfTenantMax; count++) {
      const headers = { authorization: `Bearer ${key}` }
      const answer = await fetch(`http://127.0.0.1:${server.port}${PATH}`, { method: 'HEAD', headers })
      expect(answer.status).toBe(200)
    }
  })

  it('keeps one place for those that are asked for behind each other on a connection', async () => {
    const { key } = await newTenant()
    const asked = `GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
    const socket = connect(server.port, '127.0.0.1', () => socket.write(asked.repeat(4)))
    socket.on('error', () => undefined)
    const isOver = new Promise((resolve) => socket.once('close', resolve))
    await Promise.race([isOver, new Promise((resolve) => socket.once('data', resolve))])
    await eventually(async () => {
      const open = await Promise.all([1, 2, 3, 4].map(() => listen(key)))
      for (const each of open) each.leave()
      expect(open.map(({ response }) => response.status)).toEqual([200, 200, 200, 200])
    })
    socket.destroy()
  })

  it('tells nothing after the key was revoked, and ends', async () => {
    const { id, key } = await newTenant()
    const other = await api.keyOf(id)
    const [revoked, good] = [await listen(key), await listen(other)]
    const target = `/v1/operator/api-keys/${apiKeyTokens.ownerOf(key)}`
    expect((await api.send('DELETE', target, { headers: operator.headers })).status).toBe(200)
    await publish(id, 1)
    await eventually(() => expect(good.numbers()).toEqual([1]))
    await eventually(() => expect(revoked.got.isOver).toBe(true))
    expect(revoked.numbers()).toEqual([])
    expect((await listen(key)).response.status).toBe(401)
    good.leave()
  })

  it('ends for an organisation that is suspended, whether or not anything happens', {
    timeout: 20_000,
  }, async () => {
    const [busy, quiet] = [await newTenant(), await newTenant()]
    const [one, two] = [await listen(busy.key), await listen(quiet.key)]
    for (const { id } of [busy, quiet]) {
      const target = `/v1/operator/tenants/${id}/suspend`
      expect((await api.send('POST', target, { headers: operator.headers })).status).toBe(200)
    }
    await publish(busy.id, 1)
    await eventually(() => expect(one.got.isOver).toBe(true))
    expect(one.numbers()).toEqual([])
    await vi.waitFor(() => expect(two.got.isOver).toBe(true), { timeout: 15_000 })
  })

  it('is for API keys and the people of the organisation', async () => {
    const { id, key } = await newTenant()
    const as = { kind: 'wallet_token', tenantId: id, walletId: 'w' } as const
    expect((await api.send('GET', PATH, { as })).status).toBe(403)
    expect((await api.send('GET', PATH, { headers: operator.headers })).status).toBe(403)
    expect((await api.send('POST', PATH, { as: key })).status).toBe(405)
  })

  it('tells a session the same, from a page of our own alone, and ends with the session', async () => {
    const { id, key } = await newTenant()
    const viewer = await people.enrol(id, 'viewer@example.org', 'viewer')
    const other = await people.enrol((await newTenant()).id, 'other@example.org')
    const [mine, theirs, ours] = [await listen(viewer), await listen(other), await listen(key)]
    expect(mine.response.headers.get('ratelimit')).toMatch(/^"default";r=\d+/)
    await publish(id, 1)
    await eventually(() => expect([mine.numbers(), ours.numbers()]).toEqual([[1], [1]]))
    expect(theirs.numbers()).toEqual([])
    for (const foreign of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
      expect((await listen(viewer, foreign)).response.status).toBe(403)
    expect((await api.send('DELETE', '/v1/session', { headers: viewer.headers })).status).toBe(200)
    await publish(id, 2)
    await eventually(() => expect(ours.numbers()).toEqual([1, 2]))
    await eventually(() => expect(mine.got.isOver).toBe(true))
    expect(mine.numbers()).toEqual([1])
    expect((await listen(viewer)).response.status).toBe(401)
    for (const each of [theirs, ours]) each.leave()
  })

  it('ends at once with its session, its person or their acting, although nothing happens', {
    timeout: 20_000,
  }, async () => {
    const { id } = await newTenant()
    const admin = await people.enrol(id, 'admin@example.org')
    const [gone, out, acting] = [
      await people.enrol(id, 'gone@example.org', 'viewer'),
      await people.enrol(id, 'out@example.org', 'viewer'),
      await people.enrol(null, 'acts@example.org', 'operator'),
    ]
    const order = { organisation: id, reason: 'A look at events' }
    await api.send('POST', '/v1/operator/acting', { headers: acting.headers, body: order })
    const streams = [await listen(gone), await listen(out), await listen(acting)]
    const stays = await listen(admin)
    expect(streams.map(({ response }) => response.status)).toEqual([200, 200, 200])
    const ended = [
      await api.send('DELETE', `/v1/members/${gone.id}`, { headers: admin.headers }),
      await api.send('DELETE', '/v1/sessions', { headers: out.headers }),
      await api.send('DELETE', '/v1/operator/acting', { headers: acting.headers }),
    ]
    expect(ended.map(({ status }) => status < 300)).toEqual([true, true, true])
    await vi.waitFor(() => expect(streams.map(({ got }) => got.isOver)).toEqual([true, true, true]), {
      timeout: 2_500,
    })
    expect(stays.got.isOver).toBe(false)
    stays.leave()
  })

  it('keeps places for people beside those of API keys', async () => {
    const { id, key } = await newTenant()
    const [busy, other] = [
      await people.enrol(id, 'busy@example.org'),
      await people.enrol(id, 'other@example.org', 'viewer'),
    ]
    const open = []
    for (let count = 0; count < limits.eventStreamsOfTenantMax; count++) open.push(await listen(key))
    for (let count = 0; count < limits.eventStreamsOfPersonMax; count++) open.push(await listen(busy))
    expect(open.filter(({ response }) => response.status !== 200)).toEqual([])
    for (const whose of [key, busy]) expect((await listen(whose)).response.status).toBe(429)
    const beside = await listen(other)
    expect(beside.response.status).toBe(200)
    for (const each of [...open, beside]) each.leave()
  })

  it('tells an operator who acts for the organisation, and no longer than that', async () => {
    const { id } = await newTenant()
    const acting = await people.enrol(null, 'acting@example.org', 'operator')
    expect((await listen(acting)).response.status).toBe(403)
    const order = { organisation: id, reason: 'A look at events' }
    const begun = await api.send('POST', '/v1/operator/acting', { headers: acting.headers, body: order })
    expect(begun.status).toBeLessThan(300)
    const stream = await listen(acting)
    await publish(id, 1)
    await eventually(() => expect(stream.numbers()).toEqual([1]))
    await api.send('DELETE', '/v1/operator/acting', { headers: acting.headers })
    await publish(id, 2)
    await eventually(() => expect(stream.got.isOver).toBe(true))
    expect(stream.numbers()).toEqual([1])
  })
})

const eventOf = (tenant: string, no: number): PublicEvent => ({
  id: `evt_${tenant}_${no}`,
  type: 'connection.state_changed',
  tenant,
  createdAtMs: 1_700_000_000_000,
  recordType: 'connection',
  recordId: 'con_1',
  data: { id: 'con_1', state: 'completed', sequence: no },
  sealed: null,
})
