import { afterAll, describe, expect, it } from 'vitest'
import { openItems, openKeys } from '../../../src/actors/credential-offer-job/kept-items.ts'
import { WAVE_ITEMS } from '../../../src/actors/credential-offer-job/read-offers.ts'
import { offerJob } from '../../../src/actors/credential-offer-job/rules.ts'
import { openItem } from '../../../src/actors/credential-offer-job/waiting-item.ts'
import { resumeTenant, suspendTenant } from '../../../src/actors/tenant/commands.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import { RECENT_COMMANDS_MAX } from '../../../src/host/state/recent-commands.ts'
import { administrator } from '../../compose/api-on-memory.ts'
import { furnishedApi } from '../../compose/furnished-api.ts'
import { connected } from '../../compose/service-on-memory.ts'
import { eventually } from '../../eventually.ts'
import { never, openOffering } from './offering-world.ts'

const DAY_MS = 86_400_000
const { api, at, key, item, send, get, finished, itemsOf, offeredOf, alone, holdItems } = await openOffering()
afterAll(() => api.close())

describe('many offers in one request', () => {
  it('are answered with a job, which ends with a result for each, in the order of the request', async () => {
    const items = [
      item({ externalId: 'first' }),
      item({ connectionId: 'con_00nobodynobody' }),
      item({ attributes: { name: 'Ada', surname: 'L', expiresAt: '2000000000' } }),
      item(),
    ]
    const { status, json } = await send(items)
    expect([status, json]).toMatchObject([202, { total: 4, offered: 0, refused: 0, status: 'running' }])
    expect(await finished(json['id'])).toMatchObject({ total: 4, offered: 2, refused: 2 })
    const shown = await itemsOf(json['id'])
    expect(shown).toMatchObject([
      { index: 0, error: null, reason: null },
      { index: 1, credentialId: null, error: 'connection_not_found' },
      { index: 2, credentialId: null, error: 'attributes_mismatch' },
      { index: 3, error: null, reason: null },
    ])
    expect(shown.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      items.map(({ idempotencyKey }) => idempotencyKey),
    )
    expect(String(shown[2]?.['reason'])).toContain('surname')
    const exchange = await get(`/v1/credentials/${String(shown[0]?.['credentialId'])}`)
    expect(exchange).toMatchObject({ state: 'offer-sent', externalId: 'first', attributes: { name: 'Ada' } })
    expect((await itemsOf(json['id'], '?outcome=refused')).map(({ index }) => index)).toEqual([1, 2])
    expect(await itemsOf(json['id'], '?outcome=waiting')).toEqual([])
    expect((await itemsOf(json['id'], `?q=${String(shown[0]?.['credentialId'])}`)).length).toBe(1)
  })

  it('are found in the list of jobs, and by nobody else', async () => {
    const { json } = await send([item()])
    const listed = await get(`/v1/credential-offer-jobs?q=${String(json['id'])}`)
    expect(listed).toMatchObject({ total: 1, items: [{ id: json['id'] }] })
    const as = administrator('ten_00bbbbbbbbbb')
    const path = `/v1/credential-offer-jobs/${String(json['id'])}`
    for (const each of [path, `${path}/items`]) expect((await api.send('GET', each, { as })).status).toBe(404)
  })

  it('are one offer under one key, whether by itself or among many, whichever comes first', async () => {
    const [first, second] = [item(), item()]
    const made = await alone(first)
    const offered = await offeredOf([first, second])
    expect(offered[0]).toBe(made.json['id'])
    const again = await alone(second)
    expect([again.status, again.json['id']]).toEqual([202, offered[1]])
    expect(await offeredOf([second, first])).toEqual([offered[1], offered[0]])
  })

  it('are refused under a key that another offer has used, and a refused one gives its key back', async () => {
    const used = item()
    await alone(used)
    const changed = { ...used, externalId: 'another' }
    const wrong = item({ attributes: { name: 'Ada' } })
    const { json } = await send([changed, wrong])
    await finished(json['id'])
    expect(await itemsOf(json['id'])).toMatchObject([
      { error: 'idempotency_key_reused' },
      { error: 'expires_at_required' },
    ])
    const mended = { ...wrong, attributes: { name: 'Ada', expiresAt: '2000000000' } }
    expect((await alone(mended)).status).toBe(202)
  })

  it('have their keys claimed before the first of several waves, and are one offer under each nevertheless', async () => {
    const { actors } = api.service
    const [before, between, wrong] = [item(), item(), item({ attributes: { name: 'Ada' } })]
    const made = [await alone(before)]
    const askAtomically = actors.askAtomically.bind(actors)
    const held = Promise.withResolvers<void>()
    actors.askAtomically = async (members, options) => {
      if (options.commandId.startsWith('create:')) await held.promise
      return askAtomically(members, options)
    }
    const { json } = await send([before, between, wrong, ...Array.from({ length: WAVE_ITEMS }, () => item())])
    const ref = offerJob.ref(String(json['id']))
    await eventually(async () => expect(await actors.read(ref)).toMatchObject({ unclaimed: [0], offered: 0 }))
    actors.askAtomically = askAtomically
    made.push(await alone(between))
    held.resolve()
    expect(await finished(json['id'])).toMatchObject({ offered: WAVE_ITEMS + 2, refused: 1 })
    expect((await itemsOf(json['id'])).slice(0, 3)).toMatchObject([
      ...made.map(({ json: { id: credentialId } }) => ({ credentialId })),
      { credentialId: null, error: 'expires_at_required' },
    ])
    expect((await alone({ ...wrong, attributes: { name: 'Ada', expiresAt: '2000000000' } })).status).toBe(202)
  })

  it('that are the same request once more are answered alike, and begin nothing', async () => {
    const items = [item(), item()]
    const headers = { 'idempotency-key': 'the same request' }
    const first = await send(items, headers)
    await finished(first.json['id'])
    const again = await send(items, headers)
    expect([again.status, again.text]).toEqual([202, first.text])
    expect(again.headers['Idempotent-Replayed']).toBe('true')
    expect((await send([item()], headers)).json['error']).toBe('idempotency_key_reused')
  })

  it('are refused whole where the request is not well-formed', async () => {
    const same = item()
    const refused = [
      await send([]),
      await send([same, { ...item(), idempotencyKey: same['idempotencyKey'] }]),
      await send([item({ biometric: { referenceImage: 'x'.repeat(100) } })]),
      await send([item({ attributes: { name: 5 } })]),
      await send(Array.from({ length: 1_001 }, () => item())),
    ]
    expect(refused.map(({ status, json }) => [status, json['error']])).toEqual(
      refused.map(() => [400, 'invalid_request']),
    )
    expect(String(refused[1]?.json['reason'])).toContain('items.1.idempotencyKey')
  })

  it('are refused where a face check comes first, for which they have no image', async () => {
    const gated = await furnishedApi()
    const { connectionId, definitionId: credentialDefinitionId } = gated.at
    const policy = { vendor: 'sandbox', credentialDefinitionIds: [credentialDefinitionId] }
    const set = await gated.api.send('PUT', '/v1/biometric', { as: gated.admin, body: policy })
    expect(set.status, set.text).toBeLessThan(300)
    const body = { items: [item({ connectionId, credentialDefinitionId })] }
    const { json } = await gated.api.send('POST', '/v1/credentials/offers', { as: gated.key, body })
    const path = `/v1/credential-offer-jobs/${String(json['id'])}/items`
    await eventually(async () => {
      const shown = await gated.api.send('GET', path, { as: gated.key })
      expect(shown.json['items']).toMatchObject([
        { credentialId: null, error: 'biometric_reference_required' },
      ])
    })
    await gated.api.close()
  })

  it('wait while their organisation is suspended, and go on when it is not', async () => {
    const { bodies, useCases, runtime, actors } = api.service
    const begun = Promise.withResolvers<void>()
    const opened = bodies.get.bind(bodies)
    bodies.get = async () => {
      begun.resolve()
      throw Object.assign(new Error('away'), { retryable: true })
    }
    const { json } = await send([item()])
    await begun.promise
    await suspendTenant(useCases, at.tenant)
    bodies.get = opened
    runtime.forward(3_600_000)
    const ref = offerJob.ref(String(json['id']))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await actors.read(ref)).toMatchObject({ status: 'running', offered: 0 })
    await resumeTenant(useCases, at.tenant)
    runtime.forward(3_600_000)
    expect(await finished(json['id'])).toMatchObject({ offered: 1 })
  })

  it('whose record cannot be asked for now come again, and hold up no others', async () => {
    const { vault, runtime, actors } = api.service
    const open = holdItems()
    const connectionId = await connected(api.service, at.tenant, 'cccccccccc')
    const items = [...Array.from({ length: 2 * WAVE_ITEMS }, () => item()), item({ connectionId })]
    const { json } = await send(items)
    vault.unknown.add(connectionId)
    open()
    const ref = offerJob.ref(String(json['id']))
    await eventually(async () =>
      expect(await actors.read(ref)).toMatchObject({ status: 'running', offered: 2 * WAVE_ITEMS }),
    )
    vault.unknown.clear()
    await eventually(async () => {
      runtime.forward(60_000)
      expect(await actors.read(ref)).toMatchObject({ status: 'finished', offered: items.length })
    })
  })

  it('whose body is not to be had for now come again, and hold up no other waves', async () => {
    const { bodies, runtime, actors } = api.service
    const open = holdItems()
    const { json } = await send(Array.from({ length: 2 * WAVE_ITEMS }, () => item()))
    const ref = offerJob.ref(String(json['id']))
    open()
    const getBody = bodies.get.bind(bodies)
    bodies.get = async (record, id) => {
      const job = await actors.read(ref)
      const isFirst = 'waves' in job && job.waves[0]?.number === 0 && job.waves[0].body.id === id
      if (isFirst && 'unclaimed' in job) throw Object.assign(new Error('away'), { retryable: true })
      return getBody(record, id)
    }
    await eventually(async () => {
      runtime.forward(60_000)
      expect(await actors.read(ref)).toMatchObject({ status: 'running', offered: WAVE_ITEMS })
    })
    bodies.get = getBody
    await eventually(async () => {
      runtime.forward(60_000)
      expect(await actors.read(ref)).toMatchObject({ status: 'finished', offered: 2 * WAVE_ITEMS })
    })
  })

  it('are begun by a repetition under the same key, hours after their request was cut off', async () => {
    const { bodies, runtime } = api.service
    const put = bodies.put.bind(bodies)
    bodies.put = () => Promise.reject(Object.assign(new Error('away'), { retryable: true }))
    const items = [item(), item()]
    const headers = { 'idempotency-key': 'cut off' }
    expect((await send(items, headers)).status).toBeGreaterThanOrEqual(500)
    bodies.put = put
    runtime.forward(23 * 3_600_000)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const { status, json } = await send(items, headers)
    expect(status).toBe(202)
    expect(await finished(json['id'])).toMatchObject({ offered: 2 })
  })

  it('cannot be read any more once their connection is erased, and are refused at their turn', async () => {
    const { vault, bodies, actors, runtime } = api.service
    const connectionId = await connected(api.service, at.tenant, 'dddddddddd')
    const open = holdItems()
    const offer = item({ connectionId })
    const { json } = await send([offer, item()])
    const id = String(json['id'])
    const erased = await api.send('POST', `/v1/connections/${connectionId}/erase`, { as: key })
    expect(erased.status, erased.text).toBeLessThan(300)
    await eventually(() => expect(vault.keys.has(connectionId)).toBe(false))
    const job = await actors.read(offerJob.ref(id))
    if (isRefused(job) || !('waves' in job)) throw new Error('the job is not there')
    const [wave] = job.waves
    const kept = { get: async (_: string, name: string) => bodies.kept.get(`${id}/${name}`) ?? null }
    const opened = {
      vault,
      runtime,
      bodies: { ...kept, put: never, delete: never, keepOnly: never, deleteOthers: never },
    }
    const waiting = (wave && (await openItems(opened, id, wave, job.createdAtMs))) ?? []
    const said = await Promise.all(waiting.map((each) => openItem(opened, each)))
    expect(said.filter((each) => each === null)).toHaveLength(1)
    open()
    expect(await finished(id)).toMatchObject({ offered: 1, refused: 1 })
    expect((await itemsOf(id))[0]).toMatchObject({ credentialId: null, error: 'connection_not_ready' })
    // Its key is free again.
    expect((await alone({ ...offer, connectionId: at.connectionId })).status).toBe(202)
  })

  it('have no keys any more where their job has outlasted all that is kept of it', async () => {
    const { vault, actors, runtime } = api.service
    const { json } = await send([item(), item()])
    const id = String(json['id'])
    await finished(id)
    const job = await actors.read(offerJob.ref(id))
    if (isRefused(job) || !('keys' in job)) throw new Error('the job is not there')
    const bodies = { get: async () => null, put: never, delete: never, keepOnly: never, deleteOthers: never }
    const keysAfter = (ms: number) =>
      openKeys({ vault, bodies, runtime: { ...runtime, now: () => job.createdAtMs + ms } }, id, job)
    await expect(keysAfter(45 * DAY_MS)).rejects.toThrow('is not there')
    expect(await keysAfter(45 * DAY_MS + 1)).toBeNull()
  })

  it('leave nothing but their exchanges a week after the end of their job', async () => {
    const { bodies, vault, runtime } = api.service
    const { json } = await send([item(), item()])
    const id = String(json['id'])
    await finished(id)
    await eventually(() =>
      expect([...bodies.kept.keys()].filter((name) => name.startsWith(`${id}/`))).toHaveLength(1),
    )
    // The key of what the items said has gone with the last of them.
    await eventually(() => expect(vault.keys.has(id)).toBe(false))
    expect((await itemsOf(id)).map(({ idempotencyKey }) => idempotencyKey)).not.toContain(null)
    runtime.forward(7 * DAY_MS + 60_000)
    await eventually(async () => {
      expect((await api.send('GET', `/v1/credential-offer-jobs/${id}`, { as: key })).status).toBe(404)
      expect((await get(`/v1/credential-offer-jobs?q=${id}`))['total']).toBe(0)
      expect([...bodies.kept.keys()].filter((name) => name.startsWith(`${id}/`))).toEqual([])
    })
    expect((await api.send('GET', `/v1/credential-offer-jobs/${id}/items`, { as: key })).status).toBe(404)
  })
})

describe('the rate of items', () => {
  it('is one for all keys of an organisation; what is refused leaves nothing behind', async () => {
    const limits = { offerItemsPerMinute: 3 }
    const own = await furnishedApi([1_000_000, 60, undefined, { ports: () => limits }])
    const { connectionId, definitionId: credentialDefinitionId, tenant } = own.at
    const keys = [own.key, await own.api.keyOf(tenant)]
    const many = (count: number, as = own.key) =>
      own.api.send('POST', '/v1/credentials/offers', {
        as,
        body: { items: Array.from({ length: count }, () => item({ connectionId, credentialDefinitionId })) },
      })
    expect((await many(2)).status).toBe(202)
    const { kept } = own.api.service.bodies
    await eventually(() => expect(kept.size).toBe(1))
    const refused = await many(2, keys[1])
    expect([refused.status, refused.json['error']]).toEqual([429, 'rate_limited'])
    expect(kept.size).toBe(1)
    own.api.service.runtime.forward(Number(refused.headers['Retry-After']) * 1_000)
    expect((await many(2)).status).toBe(202)
    await own.api.close()
  })

  it('counts the items of a request once, however late it comes again behind one that was cut off', async () => {
    const limits = { offerItemsPerMinute: 100 }
    const own = await furnishedApi([1_000_000, 60, undefined, { ports: () => limits }])
    const { connectionId, definitionId: credentialDefinitionId } = own.at
    const many = (count: number) =>
      Array.from({ length: count }, () => item({ connectionId, credentialDefinitionId }))
    const order = (items: readonly object[], headers: Readonly<Record<string, string>>) =>
      own.api.send('POST', '/v1/credentials/offers', { as: own.key, body: { items }, headers })
    const { bodies, runtime } = own.api.service
    const put = bodies.put.bind(bodies)
    bodies.put = () => Promise.reject(Object.assign(new Error('away'), { retryable: true }))
    const [cutOff, headers] = [many(2), { 'idempotency-key': 'cut off' }]
    expect((await order(cutOff, headers)).status).toBeGreaterThanOrEqual(500)
    bodies.put = put
    for (let count = 0; count <= RECENT_COMMANDS_MAX; count++)
      expect((await order(many(1), { 'idempotency-key': `${count}` })).status).toBe(202)
    runtime.forward(5 * 3_600_000)
    expect((await order(many(99), { 'idempotency-key': 'nearly all of a minute' })).status).toBe(202)
    const again = await order(cutOff, headers)
    expect([again.status, again.json]).toMatchObject([202, { total: 2 }])
    expect((await order(many(1), { 'idempotency-key': 'the last' })).status).toBe(202)
    expect((await order(many(1), { 'idempotency-key': 'one too many' })).status).toBe(429)
    await own.api.close()
  })
})
