import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Case, refuses, type Samples } from '../table.ts'
import type { Answer, Json, World } from '../world.ts'

const SCHEMAS = '/v1/schemas'
const DEFINITIONS = '/v1/credential-definitions'
const TENANTS = '/v1/operator/tenants'
const ENDORSEMENTS = '/v1/operator/endorsements'
const CEILINGS = '/v1/operator/ledger-ceilings'
const AGREEMENT = '/v1/operator/ledger-agreement'
const LOOKS_MAX = 600

/** A name that no other schema has. */
const fresh = (): string => `s-${randomUUID().slice(0, 8)}`
const schemaOf = (more: Json = {}): Json => ({
  name: fresh(),
  version: '1.0',
  attributes: ['name', 'expiresAt'],
  ...more,
})

const until = async <Found>(look: () => Promise<Found | undefined>): Promise<Found> => {
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const found = await look()
    if (found !== undefined) return found
    await pause(looks < 20 ? 10 : 200)
  }
  throw new Error('not in time')
}

const hasStatus = (at: World, path: string, status: string): Promise<Json> =>
  until(async () => {
    const { json } = await at.ask('GET', { as: 'admin', target: path })
    return json['status'] === status ? json : undefined
  })

/** What is ordered meanwhile waits for an operator. */
const byHand = async <Made>(at: World, order: () => Promise<Made>): Promise<Made> => {
  const mode = (endorsement: string) =>
    at.ask('PATCH', { as: 'operator', target: `${TENANTS}/${at.tenant}`, body: { endorsement } })
  await mode('manual')
  try {
    return await order()
  } finally {
    await mode('automatic')
  }
}

/** What is to be written, as the organisation ordered it: a schema, and a definition. */
const showsContent = async (at: World): Promise<Answer> => {
  const schema = await waitingSchema(at)
  const { name, version, attributes } = (await at.ask('GET', { as: 'admin', target: schema })).json
  const content = { schemaName: name, schemaVersion: version, attributes, tag: null }
  const ofSchema = await at.ask('GET', { as: 'operator', target: await endorsementOf(at, schema) })
  expect(ofSchema.json['content']).toEqual(content)
  const tag = fresh()
  const definition = await byHand(at, async () => {
    const { id } = await at.post(DEFINITIONS, { schemaId: at.schemaId, tag }, 'admin')
    const path = `${DEFINITIONS}/${String(id)}`
    await hasStatus(at, path, 'awaiting_endorsement')
    return path
  })
  const published = (await at.ask('GET', { as: 'admin', target: `${SCHEMAS}/${at.schemaId}` })).json
  const ofDefinition = await at.ask('GET', { as: 'operator', target: await endorsementOf(at, definition) })
  expect(ofDefinition.json['content']).toEqual({
    schemaName: published['name'],
    schemaVersion: published['version'],
    attributes: published['attributes'],
    tag,
  })
  return ofDefinition
}

/** A schema of the organisation, published or on its way. */
const orderedSchema = async (at: World): Promise<string> =>
  `${SCHEMAS}/${String((await at.post(SCHEMAS, schemaOf(), 'admin'))['id'])}`

const waitingSchema = (at: World): Promise<string> =>
  byHand(at, async () => {
    const path = await orderedSchema(at)
    await hasStatus(at, path, 'awaiting_endorsement')
    return path
  })

const endorsementOf = (at: World, path: string): Promise<string> =>
  until(async () => {
    const target = `${ENDORSEMENTS}?status=waiting&q=${path.slice(path.lastIndexOf('/') + 1)}`
    const { json } = await at.ask('GET', { as: 'operator', target })
    const [found] = (json['items'] ?? []) as readonly Json[]
    return found === undefined ? undefined : `${ENDORSEMENTS}/${String(found['id'])}`
  })

const waitingEndorsement = async (at: World): Promise<string> => endorsementOf(at, await waitingSchema(at))

const decide = (at: World, endorsement: string, how: 'approve' | 'refuse') =>
  at.ask('POST', {
    as: 'operator',
    target: `${endorsement}/${how}`,
    ...(how === 'refuse' && { body: { reason: 'Taken.' } }),
  })

const failed = async (at: World, path: string): Promise<string> => {
  await decide(at, await endorsementOf(at, path), 'refuse')
  await hasStatus(at, path, 'failed')
  return path
}

const failedSchema = async (at: World): Promise<string> => failed(at, await waitingSchema(at))

const failedDefinition = (at: World): Promise<string> =>
  byHand(at, async () => {
    const { id } = await at.post(DEFINITIONS, { schemaId: at.schemaId, tag: fresh() }, 'admin')
    return failed(at, `${DEFINITIONS}/${String(id)}`)
  })

const published = async (at: World): Promise<string> => {
  const path = await orderedSchema(at)
  await hasStatus(at, path, 'published')
  return path
}

/** Keys take seconds where they are real: one definition serves all cases. */
const deprecated = new WeakMap<World, Promise<string>>()
const deprecatedDefinition = async (at: World): Promise<string> => {
  const known = deprecated.get(at) ?? at.publish(['name', 'expiresAt'])
  deprecated.set(at, known)
  known.catch(() => deprecated.delete(at))
  return `${DEFINITIONS}/${await known}`
}

/** Nothing more may be ordered meanwhile. */
const atItsCeiling = async <Answered>(at: World, order: () => Promise<Answered>): Promise<Answered> => {
  const set = (writesPerDay: number) =>
    at.ask('PUT', { as: 'operator', target: `${CEILINGS}/${at.tenant}`, body: { writesPerDay } })
  await set(0)
  try {
    return await order()
  } finally {
    await set(100_000)
  }
}

/** Of the agreement as it is shown; the sandbox has none. */
const acceptance = async (at: World): Promise<Json> => {
  at.inside('a ledger with an agreement')
  const { json } = await at.ask('GET', { as: 'operator', target: AGREEMENT })
  const [first] = json['mechanisms'] as readonly Json[]
  return { digest: json['digest'], mechanism: first?.['name'] }
}

const accept = (at: World, body: Json) =>
  at.ask('POST', { as: 'operator', target: `${AGREEMENT}/accept`, body })

export const publishingSamples: Samples = {
  [`POST ${SCHEMAS}`]: () => ({ as: 'admin', body: schemaOf() }),
  [`POST ${SCHEMAS}/{id}/retry`]: async (at) => ({ as: 'admin', target: `${await failedSchema(at)}/retry` }),
  [`POST ${SCHEMAS}/{id}/deprecate`]: async (at) => ({
    as: 'admin',
    target: `${await published(at)}/deprecate`,
  }),
  [`POST ${DEFINITIONS}`]: ({ schemaId }) => ({ as: 'admin', body: { schemaId, tag: 'default' } }),
  [`GET ${DEFINITIONS}/{id}/key-generation`]: ({ definitionId }) => ({
    as: 'key',
    target: `${DEFINITIONS}/${definitionId}/key-generation`,
  }),
  [`POST ${DEFINITIONS}/{id}/retry`]: async (at) => ({
    as: 'admin',
    target: `${DEFINITIONS}/${await at.unpublishedDefinition()}/retry`,
  }),
  [`POST ${DEFINITIONS}/{id}/deprecate`]: async (at) => ({
    as: 'admin',
    target: `${await deprecatedDefinition(at)}/deprecate`,
  }),
  [`GET ${ENDORSEMENTS}`]: () => ({ as: 'operator' }),
  [`GET ${ENDORSEMENTS}/{id}`]: async (at) => ({ as: 'operator', target: await waitingEndorsement(at) }),
  [`POST ${ENDORSEMENTS}/{id}/approve`]: async (at) => ({
    as: 'operator',
    target: `${await waitingEndorsement(at)}/approve`,
  }),
  [`POST ${ENDORSEMENTS}/{id}/refuse`]: async (at) => ({
    as: 'operator',
    target: `${await waitingEndorsement(at)}/refuse`,
    body: { reason: 'The name is taken.' },
  }),
  [`GET ${AGREEMENT}`]: () => ({ as: 'operator' }),
  [`POST ${AGREEMENT}/accept`]: async (at) => ({ as: 'operator', body: await acceptance(at) }),
  [`GET ${CEILINGS}`]: () => ({ as: 'operator' }),
  [`GET ${CEILINGS}/{id}`]: ({ tenant }) => ({ as: 'operator', target: `${CEILINGS}/${tenant}` }),
  [`PUT ${CEILINGS}/{id}`]: async (at) => ({
    as: 'operator',
    target: `${CEILINGS}/${await at.newTenant()}`,
    body: { writesPerDay: 500 },
  }),
}

const unknownIds: readonly Case[] = (
  [
    [`POST ${SCHEMAS}/{id}/retry`, 'sch', 'admin', undefined],
    [`POST ${SCHEMAS}/{id}/deprecate`, 'sch', 'admin', undefined],
    [`GET ${DEFINITIONS}/{id}/key-generation`, 'def', 'key', undefined],
    [`POST ${DEFINITIONS}/{id}/retry`, 'def', 'admin', undefined],
    [`POST ${DEFINITIONS}/{id}/deprecate`, 'def', 'admin', undefined],
    [`GET ${ENDORSEMENTS}/{id}`, 'eds', 'operator', undefined],
    [`POST ${ENDORSEMENTS}/{id}/approve`, 'eds', 'operator', undefined],
    [`POST ${ENDORSEMENTS}/{id}/refuse`, 'eds', 'operator', { reason: 'x' }],
    [`GET ${CEILINGS}/{id}`, 'ten', 'operator', undefined],
    [`PUT ${CEILINGS}/{id}`, 'ten', 'operator', { writesPerDay: 1 }],
  ] as const
).map(([route, kind, as, body]) =>
  refuses(route, 'not_found', (at) => {
    const [method, path] = route.split(' ') as [string, string]
    const target = path.replace('{id}', `${kind}_00bbbbbbbbbb`)
    return at.ask(method, { as, target, ...(body !== undefined && { body }) })
  }),
)

const post = (at: World, target: string, body?: Json) =>
  at.ask('POST', { as: 'admin', target, ...(body !== undefined && { body }) })

export const publishingCases: readonly Case[] = [
  ...unknownIds,
  { route: `GET ${ENDORSEMENTS}/{id}`, shows: 'success', run: showsContent },
  refuses(`POST ${SCHEMAS}`, 'not_found', (at) => at.gone('POST', SCHEMAS, schemaOf())),
  refuses(`POST ${SCHEMAS}`, 'already_published', async (at) => {
    const order = schemaOf()
    await post(at, SCHEMAS, order)
    return post(at, SCHEMAS, { ...order, attributes: ['age', 'expiresAt'] })
  }),
  refuses(`POST ${SCHEMAS}`, 'ledger_ceiling_reached', (at) =>
    atItsCeiling(at, () => post(at, SCHEMAS, schemaOf())),
  ),
  refuses(`POST ${SCHEMAS}/{id}/retry`, 'already_published', async (at) =>
    post(at, `${SCHEMAS}/${at.schemaId}/retry`),
  ),
  refuses(`POST ${SCHEMAS}/{id}/retry`, 'ledger_ceiling_reached', async (at) => {
    const path = await failedSchema(at)
    return atItsCeiling(at, () => post(at, `${path}/retry`))
  }),
  refuses(`POST ${SCHEMAS}/{id}/deprecate`, 'schema_not_published', async (at) =>
    post(at, `${await waitingSchema(at)}/deprecate`),
  ),
  refuses(`POST ${DEFINITIONS}`, 'not_found', (at) =>
    post(at, DEFINITIONS, { schemaId: 'sch_00bbbbbbbbbb', tag: 'default' }),
  ),
  refuses(`POST ${DEFINITIONS}`, 'schema_not_published', async (at) => {
    const schemaId = (await waitingSchema(at)).slice(SCHEMAS.length + 1)
    return post(at, DEFINITIONS, { schemaId, tag: 'default' })
  }),
  refuses(`POST ${DEFINITIONS}`, 'ledger_ceiling_reached', (at) =>
    atItsCeiling(at, () => post(at, DEFINITIONS, { schemaId: at.schemaId, tag: fresh() })),
  ),
  refuses(`POST ${DEFINITIONS}/{id}/retry`, 'already_published', (at) =>
    post(at, `${DEFINITIONS}/${at.definitionId}/retry`),
  ),
  refuses(`POST ${DEFINITIONS}/{id}/retry`, 'ledger_ceiling_reached', async (at) => {
    const path = await failedDefinition(at)
    return atItsCeiling(at, () => post(at, `${path}/retry`))
  }),
  refuses(`POST ${DEFINITIONS}/{id}/deprecate`, 'credential_definition_not_published', async (at) =>
    post(at, `${DEFINITIONS}/${await at.unpublishedDefinition()}/deprecate`),
  ),
  refuses(`POST ${AGREEMENT}/accept`, 'agreement_outdated', async (at) =>
    accept(at, { ...(await acceptance(at)), digest: 'b'.repeat(64) }),
  ),
  refuses(`POST ${AGREEMENT}/accept`, 'not_found', async (at) => {
    const body = await acceptance(at)
    const { agreement } = at.inside('a ledger with an agreement').api.service
    const { now } = agreement
    agreement.now = null
    try {
      return await accept(at, body)
    } finally {
      agreement.now = now
    }
  }),
  ...(['approve', 'refuse'] as const).map((how) =>
    refuses(`POST ${ENDORSEMENTS}/{id}/${how}`, 'endorsement_decided', async (at) => {
      const endorsement = await waitingEndorsement(at)
      await decide(at, endorsement, how === 'approve' ? 'refuse' : 'approve')
      return decide(at, endorsement, how)
    }),
  ),
]
