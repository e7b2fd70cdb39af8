import { askById } from '../host/parts/ask-by-id.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishDefinition } from '../../src/actors/credential-definition/publish.ts'
import { publishSchema } from '../../src/actors/schema/publish.ts'
import { schema } from '../../src/actors/schema/rules.ts'
import { administrator, type ApiOnMemory, apiOnMemory } from '../compose/api-on-memory.ts'
import { consolePeople, type Person } from '../compose/console-people.ts'
import { furnished } from '../compose/service-on-memory.ts'
import { eventually } from '../eventually.ts'
import { allowed } from '../actors/account/accounts-world.ts'
import { softwareAuthenticator } from '../actors/account/software-authenticator.ts'

/** A word that nothing of mine has. */
const THEIRS = 'theirs'
const THEIR_INVITATION = 'inv_00bbbbbbbbbb'

type Json = Readonly<Record<string, unknown>>
type Furnished = Awaited<ReturnType<typeof furnished>>

let api: ApiOnMemory
let mine: Furnished
let theirs: Furnished
let theirIds: readonly string[] = []
let theirErased = ''
let theirEndpoint = ''
let theirJob = ''
let key = ''
let theirKey = ''
let me: Person
let them: Person
beforeAll(async () => {
  api = await apiOnMemory()
  mine = await furnished(api.service)
  theirs = await furnished(api.service, 'bbbbbbbbbb')
  key = await api.keyOf(mine.tenant)
  theirKey = await api.keyOf(theirs.tenant)
  const attributes = { name: 'Ada', expiresAt: '2000000000' }
  const { connectionId, definitionId } = theirs
  const groups = [{ name: 'g', credentialDefinitionIds: [definitionId], attributes: ['name'] }]
  const post = async (path: string, body: object, as: Parameters<typeof api.send>[2] = { as: theirKey }) => {
    const made = await api.send('POST', path, { ...as, body })
    expect(made.status, made.text).toBeLessThan(300)
    return String(made.json['id'] ?? made.json['invitationId'])
  }
  const template = await post(
    '/v1/proof-templates',
    { name: THEIRS, groups },
    { as: administrator(theirs.tenant) },
  )
  const headers = { 'idempotency-key': '00000000-0000-4000-8000-000000000001' }
  theirErased = await post('/v1/proofs/request', { connectionId, proofTemplateId: template })
  for (const verb of ['cancel', 'erase'])
    expect((await api.send('POST', `/v1/proofs/${theirErased}/${verb}`, { as: theirKey })).status).toBe(200)
  const item = { idempotencyKey: THEIRS, connectionId, credentialDefinitionId: definitionId, attributes }
  theirJob = await post('/v1/credentials/offers', { items: [item] })
  theirIds = [
    theirErased,
    theirJob,
    connectionId,
    theirs.schemaId,
    definitionId,
    template,
    await post('/v1/credentials/offer', {
      connectionId,
      credentialDefinitionId: definitionId,
      attributes,
      externalId: THEIRS,
    }),
    await post('/v1/proofs/request', { connectionId, proofTemplateId: template, externalId: THEIRS }),
    await post('/v1/wallets', { externalId: THEIRS }, { as: theirKey, headers }),
    await post('/v1/connections/invitations', {}),
    theirs.tenant,
    ...(await ofTheirPeople()),
    ...(await ofTheirCatalogue()),
    await ofTheirHolders(),
    await ofTheirWebhooks(),
  ]
  me = await consolePeople(api).enrol(mine.tenant, 'mine@example.org')
})

/** Somebody of the others, with a session and a passkey: ids that only routes for people know. */
const ofTheirPeople = async (): Promise<readonly string[]> => {
  const people = consolePeople(api)
  them = await people.enrol(theirs.tenant, 'theirs@example.org')
  const { id, headers } = them
  const { json } = await api.send('GET', '/v1/session', { headers })
  const options = await api.send('POST', '/v1/account/passkeys/options', { headers })
  const { challenge } = options.json as { readonly challenge: string }
  const response = softwareAuthenticator('https://issuer.example').make(challenge, 'issuer.example')
  const added = await api.send('POST', '/v1/account/passkeys', {
    headers,
    body: { label: THEIRS, response },
  })
  expect(added.status, added.text).toBe(201)
  return [id, (json['session'] as { readonly id: string }).id, String(added.json['id'])]
}

/** A schema and a definition under a name of their own. */
const ofTheirCatalogue = async (): Promise<readonly string[]> => {
  const { useCases } = api.service
  const { tenant } = theirs
  const content = { name: THEIRS, version: '1.0', attributes: ['name', 'expiresAt'] }
  const ordered = allowed(await publishSchema(useCases, { tenant, ...content }))
  await eventually(async () =>
    expect(await useCases.actors.read(schema.ref(ordered.id))).toMatchObject({ status: 'published' }),
  )
  const made = { tenant, schemaId: ordered.id, tag: THEIRS }
  return [ordered.id, allowed(await publishDefinition(useCases, made)).id]
}

/** A delivery to an endpoint of theirs. */
const ofTheirWebhooks = async (): Promise<string> => {
  const as = administrator(theirs.tenant)
  const body = { url: 'https://receiver.example/theirs' }
  expect((await api.send('PUT', '/v1/webhook', { as, body })).status).toBe(201)
  const tried = await api.send('POST', '/v1/webhook/test', { as })
  expect(tried.status, tried.text).toBe(202)
  theirEndpoint = String(tried.json['recordId'])
  return String(tried.json['id'])
}

/** A connection that was invited under a name of their own. */
const ofTheirHolders = async (): Promise<string> => {
  const id = 'con_00cccccccccc'
  const command = {
    type: 'RequestConnection',
    atMs: api.service.runtime.now(),
    tenant: theirs.tenant,
    invitationId: THEIR_INVITATION,
    externalId: THEIRS,
    threadId: 't',
    theirLabel: 'Phone',
    theirDid: 'did',
    theirService: null,
    ownSeed: 'seed',
    ownKey: 'key',
    protocol: 'didexchange/1.1',
    prefix: 'https://didcomm.org/',
  }
  await askById(api.service.actors, id, command, { timeoutMs: 5_000, tenant: theirs.tenant, commandId: id })
  return id
}
afterAll(() => api.close())

/** As an id of theirs looks, but nobody's; an id that could not be one; and one of every kind. */
const strangers = () => [
  ...theirIds,
  ...theirIds.map((id) => `${id.slice(0, -4)}0000`),
  'nonsense',
  '%00',
  '..',
]

const withoutRate = (headers: Readonly<Record<string, string>>) => ({ ...headers, RateLimit: '' })

describe('another organisation’s id', () => {
  it('is answered byte for byte like one that nobody has, on every route with an id', async () => {
    const withId = api.routes.filter(
      ({ path, access: { callers } }) =>
        path.includes('{id}') && !callers.includes('nobody') && !callers.includes('operator'),
    )
    expect(withId.length).toBeGreaterThan(10)
    for (const { method, path, access } of withId) {
      const as = access.callers.includes('api_key') ? { as: key } : { headers: me.headers }
      const answers = new Set<string>()
      for (const id of strangers()) {
        const bodies: Record<string, object> = {
          PATCH: { body: { name: 'x' } },
          'POST /v1/members/{id}': { body: { role: 'viewer' } },
        }
        const body = bodies[`${method} ${path}`] ?? bodies[method] ?? {}
        const { status, headers, text } = await api.send(
          method,
          path.replace('{id}', encodeURIComponent(id)),
          { ...as, ...body },
        )
        answers.add(JSON.stringify([status, withoutRate(headers), text]))
      }
      expect([...answers], `${method} ${path}`).toHaveLength(1)
      expect([...answers][0]).toMatch(/^\[404,/)
    }
  })

  it('is unknown in a body too', async () => {
    const attributes = { name: 'Ada', expiresAt: '2000000000' }
    const answersTo = async (path: string, bodyOf: (id: string) => object) => {
      const answers = new Set<string>()
      for (const id of strangers())
        answers.add((await api.send('POST', path, { body: bodyOf(id), as: key })).text)
      return answers
    }
    const { connectionId, definitionId: credentialDefinitionId } = mine
    const ways: [string, (id: string) => object][] = [
      ['/v1/credentials/offer', (id) => ({ connectionId: id, credentialDefinitionId, attributes })],
      ['/v1/credentials/offer', (id) => ({ connectionId, credentialDefinitionId: id, attributes })],
      ['/v1/proofs/request', (id) => ({ connectionId, proofTemplateId: id })],
    ]
    for (const [path, bodyOf] of ways) expect([...(await answersTo(path, bodyOf))]).toHaveLength(1)
  })

  it('changes nothing that it names', async () => {
    const wallet = theirIds.find((id) => id.startsWith('wal_')) ?? ''
    const template = theirIds.find((id) => id.startsWith('tpl_')) ?? ''
    await api.send('DELETE', `/v1/wallets/${wallet}`, { as: key })
    await api.send('POST', `/v1/proof-templates/${template}/archive`, { as: administrator(mine.tenant) })
    expect((await api.send('GET', `/v1/wallets/${wallet}`, { as: theirKey })).json['status']).toBe('pending')
    expect((await api.send('GET', `/v1/proof-templates/${template}`, { as: theirKey })).json['status']).toBe(
      'active',
    )
  })
})

type ListedBy = Parameters<typeof api.send>[2]
const PAGING = ['page', 'pageSize']

/** What a filter of theirs leads to: for them to something, for others byte for byte to what an unknown value does. */
const expectNothingBy = async (
  path: string,
  filter: string,
  value: string,
  { mine: asMe, theirs: asThem }: Readonly<Record<'mine' | 'theirs', ListedBy>>,
): Promise<void> => {
  const unknown = `${value.slice(0, -2)}${value.endsWith('zz') ? 'yy' : 'zz'}`
  const by = async (text: string, as: ListedBy) => {
    const answer = await api.send('GET', `${path}?${filter}=${encodeURIComponent(text)}`, as)
    expect(answer.status, answer.text).toBe(200)
    return { total: answer.json['total'], said: [withoutRate(answer.headers), answer.text] }
  }
  const told = `${path} ${filter}`
  expect((await by(value, asThem)).total, told).toBeGreaterThan(0)
  const seen = await by(value, asMe)
  expect(seen.total, told).toBe(0)
  expect(seen.said, told).toEqual((await by(unknown, asMe)).said)
}

describe('lists', () => {
  const listRoutes = () =>
    api.routes.filter(
      ({ method, path, query, access }) =>
        method === 'GET' && query !== null && !path.includes('{') && access.callers.includes('api_key'),
    )

  it('show and count nothing of others', async () => {
    expect(listRoutes().length).toBeGreaterThan(6)
    for (const { path } of listRoutes()) {
      const own = await api.send('GET', `${path}?pageSize=100`, { as: key })
      for (const id of theirIds) expect(own.text, path).not.toContain(id)
      expect(own.json['total'], path).toBe((own.json['items'] as unknown[]).length)
      expect((await api.send('GET', path, { as: theirKey })).json['total'], path).toBeGreaterThan(0)
    }
  })

  it('find nothing of others by any filter', async () => {
    const idOf = (kind: string): string => theirIds.find((id) => id.startsWith(kind)) ?? ''
    const identifying: Readonly<Record<string, string>> = {
      q: THEIRS,
      externalId: THEIRS,
      connectionId: theirs.connectionId,
      invitationId: THEIR_INVITATION,
      proofTemplateId: idOf('tpl_'),
      recordId: theirEndpoint,
    }
    // What has no names of its own is looked for by the record that it is about.
    const ids: Readonly<Record<string, string>> = {
      '/v1/erasures': theirErased,
      '/v1/webhook/deliveries': theirEndpoint,
      '/v1/credential-offer-jobs': theirJob,
    }
    const callers = { mine: { as: key }, theirs: { as: theirKey } }
    let tried = 0
    for (const { path, query } of listRoutes()) {
      const own = await api.send('GET', `${path}?pageSize=100`, { as: key })
      const items = own.json['items'] as readonly Json[]
      const foreign = (await api.send('GET', path, { as: theirKey })).json['items'] as readonly Json[]
      const totals = async (
        filter: string,
        wanted: (item: Json) => boolean,
        ...values: readonly string[]
      ) => {
        for (const value of values) {
          const { json } = await api.send('GET', `${path}?${filter}=${value}`, { as: key })
          expect(json['total'], `${path} ${filter}`).toBe(items.filter(wanted).length)
        }
      }
      const others: Readonly<Record<string, () => Promise<void>>> = {
        from: () => totals('from', () => true, '1970-01-01T00:00:00Z'),
        to: () => totals('to', () => false, '1970-01-01T00:00:00Z'),
        verified: () => totals('verified', () => false, 'true', 'false'),
        state: () => ofTheirs('state'),
        status: () => ofTheirs('status'),
        recordType: () => ofTheirs('recordType'),
        initiator: () => ofTheirs('initiator'),
        eventType: () => ofTheirs('eventType'),
      }
      const ofTheirs = async (filter: string): Promise<void> => {
        for (const value of new Set(foreign.map((item) => String(item[filter]))))
          await totals(filter, (item) => item[filter] === value, value)
      }
      const filters = Object.keys((query as { readonly properties: object }).properties)
      for (const filter of filters.filter((name) => !PAGING.includes(name))) {
        const value = (filter === 'q' ? ids[path] : undefined) ?? identifying[filter]
        if (value === undefined) await (others[filter] as () => Promise<void>)()
        else await expectNothingBy(path, filter, value, callers)
        tried += 1
      }
    }
    expect(tried).toBeGreaterThan(25)
  })
})

describe('lists of people', () => {
  it('show nothing of others', async () => {
    for (const path of ['/v1/members', '/v1/sessions', '/v1/account/passkeys']) {
      const { status, text } = await api.send('GET', path, { headers: me.headers })
      expect(status, path).toBe(200)
      for (const id of theirIds) expect(text, path).not.toContain(id)
    }
    const log = await api.send('GET', '/v1/audit-log?pageSize=100', { headers: me.headers })
    const lines = log.json['items'] as readonly { organisation: string; initiatorId: string | null }[]
    expect(new Set(lines.map(({ organisation }) => organisation))).toEqual(new Set([mine.tenant]))
    for (const { initiatorId } of lines) expect(theirIds).not.toContain(initiatorId)
  })

  it('find nothing of others by any filter', async () => {
    // The log of mine tells whom of theirs mine have named in other tests; this one nobody has.
    const unnamed = await consolePeople(api).enrol(theirs.tenant, 'unnamed@example.org')
    const callers = { mine: { headers: me.headers }, theirs: { headers: them.headers } }
    const ways = [
      ['/v1/members', 'q', 'theirs@example.org'],
      ['/v1/account/passkeys', 'q', THEIRS],
      ['/v1/audit-log', 'initiatorId', unnamed.id],
      ['/v1/audit-log', 'targetId', unnamed.id],
      ['/v1/audit-log', 'q', unnamed.id],
      ['/v1/audit-log', 'action', 'addPasskey'],
    ] as const
    for (const [path, filter, value] of ways) await expectNothingBy(path, filter, value, callers)
  })
})

describe('what belongs to a key', () => {
  const headers = { 'idempotency-key': 'the same text' }

  it('is an Idempotency-Key for its organisation alone, whatever the others send under it', async () => {
    const invite = (as: string, externalId: string) =>
      api.send('POST', '/v1/connections/invitations', { as, headers, body: { externalId } })
    const [own, foreign] = [await invite(key, 'mine'), await invite(theirKey, 'theirs')]
    expect([own.status, foreign.status]).toEqual([201, 201])
    expect(foreign.json['invitationId']).not.toBe(own.json['invitationId'])
    for (const [as, externalId, first] of [
      [key, 'mine', own],
      [theirKey, 'theirs', foreign],
    ] as const) {
      const again = await invite(as, externalId)
      expect(again.headers['Idempotent-Replayed']).toBe('true')
      expect(again.text).toBe(first.text)
    }
  })

  it('is an installation for its organisation alone', async () => {
    const installation = { 'idempotency-key': '00000000-0000-4000-8000-0000000000aa' }
    const walletOf = (as: string) => api.send('POST', '/v1/wallets', { as, headers: installation, body: {} })
    const [own, foreign] = [await walletOf(key), await walletOf(theirKey)]
    expect([own.status, foreign.status]).toEqual([201, 201])
    expect(foreign.json['id']).not.toBe(own.json['id'])
  })

  it('is its rate: what others send takes nothing of it', async () => {
    const limited = await apiOnMemory(3)
    try {
      const tenants = [await furnished(limited.service), await furnished(limited.service, 'bbbbbbbbbb')]
      const keys = await Promise.all(tenants.map(({ tenant }) => limited.keyOf(tenant)))
      const [first = '', second = ''] = keys
      const left = async (as: string) =>
        (await limited.send('GET', '/v1/ledger', { as })).headers['RateLimit']
      for (let count = 0; count < 5; count++) await left(first)
      expect((await limited.send('GET', '/v1/ledger', { as: first })).status).toBe(429)
      expect(await left(second)).toMatch(/;r=2;/)
    } finally {
      await limited.close()
    }
  })
})
