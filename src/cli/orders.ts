import { type Answer, type Call } from './service-call.ts'

const TENANTS = '/v1/operator/tenants'
const KEYS = '/v1/operator/api-keys'
const OPERATORS = '/v1/operator/operators'
const MEMBERS = '/v1/members'
const WEBHOOK = '/v1/webhook'
const BIOMETRIC = '/v1/biometric'
const PARKED = '/v1/operator/parked'
const SCHEMAS = '/v1/schemas'
const DEFINITIONS = '/v1/credential-definitions'
const ENDORSEMENTS = '/v1/operator/endorsements'
const AGREEMENT = '/v1/operator/ledger-agreement'
const CEILINGS = '/v1/operator/ledger-ceilings'
const REBUILD = '/local/directory/rebuild'
const NODES = '/v1/operator/nodes'
const SHARDS = '/v1/operator/shards'
const MOVES = '/v1/operator/shard-moves'
const PAGE_SIZE = 100

type OfTenant = { readonly tenant: string }
type OfKey = { readonly keyId: string }
type OfAccount = { readonly account: string }
/** What is left out stays as it is; zero takes it away. */
type TenantRates = { readonly perMinute?: number; readonly keyPerMinute?: number }
type ById = { readonly id: string }
type OfShard = { readonly shard: string }
type OfNode = { readonly node: string }
type Paged = { readonly page: number }
type Fields = Readonly<Record<string, unknown>>

/** What each command asks of the service, and what of the answer it shows. */
export const orders = {
  'tenant create': async (call: Call, body: { readonly name: string }) =>
    only(['id', 'did'], await call('POST', TENANTS, { body })),
  'tenant show': (call: Call, { tenant }: OfTenant) => call('GET', at(TENANTS, tenant)),
  'tenant list': (call: Call, { page }: Paged) =>
    call('GET', `${TENANTS}?pageSize=${PAGE_SIZE}&page=${page}`),
  'tenant suspend': (call: Call, { tenant }: OfTenant) => call('POST', `${at(TENANTS, tenant)}/suspend`),
  'tenant resume': (call: Call, { tenant }: OfTenant) => call('POST', `${at(TENANTS, tenant)}/resume`),

  'tenant delete': (call: Call, { tenant, name }: OfTenant & { readonly name: string }) =>
    call('POST', `${at(TENANTS, tenant)}/delete`, { body: { name } }),
  'tenant restore': (call: Call, { tenant }: OfTenant) => call('POST', `${at(TENANTS, tenant)}/restore`),
  'tenant rate': async (call: Call, { tenant, perMinute, keyPerMinute }: OfTenant & TenantRates) => {
    const body = {
      ...(perMinute !== undefined && { ratePerMinute: perMinute || null }),
      ...(keyPerMinute !== undefined && { keyRatePerMinute: keyPerMinute || null }),
    }
    return only(
      ['id', 'ratePerMinute', 'keyRatePerMinute'],
      await call('PATCH', at(TENANTS, tenant), { body }),
    )
  },

  'tenant endorsement': (call: Call, { tenant, mode: endorsement }: OfTenant & { readonly mode: string }) =>
    call('PATCH', at(TENANTS, tenant), { body: { endorsement } }),
  'tenant ledger-ceiling': (
    call: Call,
    { tenant, perDay, usual }: OfTenant & { readonly perDay?: number; readonly usual?: boolean },
  ) =>
    perDay === undefined && usual !== true
      ? call('GET', at(CEILINGS, tenant))
      : call('PUT', at(CEILINGS, tenant), { body: { writesPerDay: perDay ?? null } }),

  'key create': async (call: Call, { tenant: tenantId, label }: OfTenant & { readonly label: string }) =>
    only(['id', 'key'], await call('POST', KEYS, { body: { tenantId, label } })),
  'key list': async (call: Call, { tenant, page }: OfTenant & Paged) => {
    // The list of an organisation that does not exist would be empty.
    await call('GET', at(TENANTS, tenant))
    return call('GET', `${KEYS}?tenantId=${encodeURIComponent(tenant)}&pageSize=${PAGE_SIZE}&page=${page}`)
  },
  'key revoke': async (call: Call, { keyId }: OfKey) =>
    only(['id', 'status'], await call('DELETE', at(KEYS, keyId))),
  'key rate': async (
    call: Call,
    { keyId, perMinute = null }: OfKey & { readonly perMinute?: number | null },
  ) => {
    const answer = await call('PATCH', at(KEYS, keyId), { body: { ratePerMinute: perMinute } })
    return { id: keyId, perMinute: answer['ratePerMinute'] }
  },

  'member invite': async (call: Call, { tenant: organisation, ...body }: OfTenant & Fields) =>
    invitation(await call('POST', MEMBERS, { organisation, body })),
  'member list': (call: Call, { tenant }: OfTenant) => everything(call, MEMBERS, tenant),
  'member remove': (call: Call, { tenant, account }: OfTenant & OfAccount) =>
    removed(call, at(MEMBERS, account), tenant),
  'operator invite': async (call: Call, body: { readonly emailAddress: string }) =>
    invitation(await call('POST', OPERATORS, { body })),
  'operator list': (call: Call) => everything(call, OPERATORS),
  'operator remove': (call: Call, { account }: OfAccount) => removed(call, at(OPERATORS, account)),

  'schema publish': async (call: Call, { tenant: organisation, ...body }: OfTenant & Fields) =>
    schema(await call('POST', SCHEMAS, { organisation, body })),
  'schema show': async (call: Call, { tenant: organisation, id }: OfTenant & ById) =>
    schema(await call('GET', at(SCHEMAS, id), { organisation })),
  'schema retry': async (call: Call, { tenant: organisation, id }: OfTenant & ById) =>
    schema(await call('POST', `${at(SCHEMAS, id)}/retry`, { organisation })),
  'schema deprecate': async (call: Call, { tenant: organisation, id }: OfTenant & ById) =>
    schema(await call('POST', `${at(SCHEMAS, id)}/deprecate`, { organisation })),
  'definition publish': async (call: Call, { tenant: organisation, ...body }: OfTenant & Fields) =>
    definition(await call('POST', DEFINITIONS, { organisation, body })),
  'definition show': async (call: Call, { tenant: organisation, id }: OfTenant & ById) =>
    definition(await call('GET', at(DEFINITIONS, id), { organisation })),
  'definition keys': (call: Call, { tenant: organisation, id }: OfTenant & ById) =>
    call('GET', `${at(DEFINITIONS, id)}/key-generation`, { organisation }),
  'definition retry': async (call: Call, { tenant: organisation, id }: OfTenant & ById) =>
    definition(await call('POST', `${at(DEFINITIONS, id)}/retry`, { organisation })),
  'definition deprecate': async (call: Call, { tenant: organisation, id }: OfTenant & ById) =>
    definition(await call('POST', `${at(DEFINITIONS, id)}/deprecate`, { organisation })),
  'template create': async (call: Call, { tenant: organisation, ...body }: OfTenant & Fields) =>
    only(['id'], await call('POST', '/v1/proof-templates', { organisation, body })),

  'webhook set': async (call: Call, { tenant: organisation, ...body }: OfTenant & Fields) =>
    endpoint(await call('PUT', WEBHOOK, { organisation, body })),
  'webhook show': (call: Call, { tenant }: OfTenant) => setEndpoint(call, tenant),
  'webhook rotate': async (call: Call, { tenant: organisation }: OfTenant) =>
    endpoint(await call('POST', `${WEBHOOK}/secret`, { organisation })),
  'webhook remove': async (call: Call, { tenant: organisation }: OfTenant) => {
    await setEndpoint(call, organisation)
    return endpoint(await call('DELETE', WEBHOOK, { organisation }))
  },

  'biometric set': (call: Call, { tenant: organisation, ...body }: OfTenant & Fields) =>
    call('PUT', BIOMETRIC, { organisation, body }),
  'biometric show': (call: Call, { tenant: organisation }: OfTenant) =>
    call('GET', BIOMETRIC, { organisation }),
  'biometric test': (call: Call, { tenant: organisation }: OfTenant) =>
    call('POST', `${BIOMETRIC}/test`, { organisation }),

  'endorsements list': (call: Call, { status }: { readonly status?: string }) =>
    everything(call, status === undefined ? ENDORSEMENTS : `${ENDORSEMENTS}?status=${status}`),
  'endorsements approve': (call: Call, { id }: ById) => call('POST', `${at(ENDORSEMENTS, id)}/approve`),
  'endorsements refuse': (call: Call, { id, reason }: ById & { readonly reason: string }) =>
    call('POST', `${at(ENDORSEMENTS, id)}/refuse`, { body: { reason } }),

  'agreement show': (call: Call) => call('GET', AGREEMENT),
  'agreement accept': (call: Call, body: { readonly digest: string; readonly mechanism: string }) =>
    call('POST', `${AGREEMENT}/accept`, { body }),

  'parked list': (call: Call) => everything(call, PARKED),
  'parked retry': (call: Call, { id }: ById) => call('POST', `${at(PARKED, id)}/retry`),

  nodes: (call: Call) => everything(call, NODES),
  'shards list': (call: Call) => everything(call, SHARDS),
  'shards plan': (call: Call, { drain }: { readonly drain?: string }) =>
    call('GET', `${MOVES}/plan${drain === undefined ? '' : `?drain=${encodeURIComponent(drain)}`}`),
  'shards apply': (call: Call, body: { readonly moves: readonly Fields[] }) => call('POST', MOVES, { body }),
  'shards move': (call: Call, { shard, node: to }: OfShard & OfNode) =>
    call('POST', `${at(SHARDS, shard)}/move`, { body: { to } }),
  'shards pin': (call: Call, { shard }: OfShard) => call('POST', `${at(SHARDS, shard)}/pin`),
  'shards unpin': (call: Call, { shard }: OfShard) => call('POST', `${at(SHARDS, shard)}/unpin`),
  'shards drain': (call: Call, { node }: OfNode) => call('POST', `${at(NODES, node)}/drain`),
  'shards take-part': (call: Call, { node }: OfNode) => call('POST', `${at(NODES, node)}/take-part`),
  'shards freeze': (call: Call) => call('POST', `${MOVES}/freeze`),
  'shards unfreeze': (call: Call) => call('POST', `${MOVES}/unfreeze`),
  'shards stop': (call: Call) => call('POST', `${MOVES}/stop`),
  'shards progress': (call: Call) => call('GET', MOVES),

  'directory rebuild': (call: Call) => call('POST', REBUILD),
  'directory show': (call: Call) => call('GET', REBUILD),
}

const at = (path: string, id: string): string => `${path}/${encodeURIComponent(id)}`

const only = (names: readonly string[], answer: Answer): Answer =>
  Object.fromEntries(names.filter((name) => name in answer).map((name) => [name, answer[name]]))

const invitation = ({ id, role, invitationLink: link, linkExpiresAt: expiresAt }: Answer): Answer => ({
  id,
  role,
  link,
  expiresAt,
})

/** Over all pages. */
const everything = async (call: Call, path: string, organisation?: string): Promise<Answer> => {
  const items: unknown[] = []
  for await (const item of itemsOf(call, path, organisation)) items.push(item)
  return { items }
}

/** One after the other, page by page; what is new meanwhile may come twice, and nothing is left out. */
export async function* itemsOf(call: Call, path: string, organisation?: string): AsyncGenerator<Answer> {
  const sent = organisation === undefined ? {} : { organisation }
  const query = path.includes('?') ? '&' : '?'
  for (let page = 1; ; page++) {
    const found = await call('GET', `${path}${query}pageSize=${PAGE_SIZE}&page=${page}`, sent)
    yield* found['items'] as readonly Answer[]
    if (page * PAGE_SIZE >= Number(found['total'])) return
  }
}

const removed = async (call: Call, path: string, organisation?: string): Promise<Answer> => {
  const { id } = await call('DELETE', path, organisation === undefined ? {} : { organisation })
  return { id, status: 'removed' }
}

const schema = ({ id, name, version, status, schemaId: ledgerId, lastError }: Answer): Answer => ({
  id,
  name,
  version,
  status,
  ledgerId,
  lastError,
})

const definition = ({ id, tag, status, credentialDefinitionId: ledgerId, lastError }: Answer): Answer => ({
  id,
  tag,
  status,
  ledgerId,
  lastError,
})

const ENDPOINT_FIELDS = [
  'url',
  'eventTypes',
  'secretCreatedAt',
  'previousSecretExpiresAt',
  'createdAt',
  'updatedAt',
  'secret',
]

const endpoint = (answer: Answer): Answer => only(ENDPOINT_FIELDS, answer)

const setEndpoint = async (call: Call, organisation: string): Promise<Answer> => {
  const found = await call('GET', WEBHOOK, { organisation })
  if (found['url'] === null) throw new Error('No webhook endpoint is set.')
  return endpoint(found)
}
