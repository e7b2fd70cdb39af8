import { parkingOf } from '../../../../src/actors/parked-record/parking.ts'
import { tenant as organisation } from '../../../../src/actors/tenant/rules.ts'
import { type Case, edge, refuses, type Sample, type Samples } from '../table.ts'
import type { World } from '../world.ts'
import { overviewEdge } from './overview.ts'

const TENANTS = '/v1/operator/tenants'
const PARKED = '/v1/operator/parked'
const KEYS = '/v1/operator/api-keys'
const OVERVIEW = '/v1/operator/overview'
const keyOf = async (at: World): Promise<string> => {
  const body = { tenantId: at.tenant, label: 'shop' }
  return `${KEYS}/${String((await at.post(KEYS, body, 'operator'))['id'])}`
}

/** An organisation whose deletion has begun. */
const deletingAt = async (at: World): Promise<string> => {
  const { actors, runtime } = at.inside('a record in a state that takes days or a fault').api.service
  const ref = organisation.ref(await at.newTenant())
  const atMs = runtime.now()
  const options = (commandId: string) => ({ commandId, tenant: null })
  await actors.ask(ref, { type: 'OrderDeletion', atMs: atMs - 8 * 86_400_000 }, options('order'))
  await actors.ask(ref, { type: 'BeginDeletion', atMs }, options('begin'))
  return ref
}

/** The id of a record that is parked; each time of another shard. */
let shardsWithParked = 0
const parkedAt = async (at: World): Promise<string> => {
  const shard = shardsWithParked++ % 256
  const { service } = at.inside('a record in a state that takes days or a fault').api
  const parking = parkingOf(service, { parked: ignore, full: ignore, leftOut: ignore })
  await parking.park(shard, { part: 'lists', recordId: 'cre_00aaaaaaaaaa', error: new Error('away') })
  return (await parking.of(shard))[0]?.id ?? ''
}
const ignore = () => undefined

export const operatorSamples: Samples = {
  [`GET ${TENANTS}`]: () => ({ as: 'operator' }),
  [`POST ${TENANTS}`]: () => ({ as: 'operator', body: { name: 'Museum' } }),
  [`GET ${TENANTS}/{id}`]: ({ tenant }) => ({ as: 'operator', target: `${TENANTS}/${tenant}` }),
  [`PATCH ${TENANTS}/{id}`]: async (at) => ({
    as: 'operator',
    target: `${TENANTS}/${await at.newTenant()}`,
    body: { endorsement: 'manual', ratePerMinute: 6_000, keyRatePerMinute: null },
  }),
  [`POST ${TENANTS}/{id}/suspend`]: async (at) => ({
    as: 'operator',
    target: `${TENANTS}/${await at.newTenant()}/suspend`,
  }),
  [`POST ${TENANTS}/{id}/resume`]: async (at) => ({
    as: 'operator',
    target: `${TENANTS}/${await at.newTenant()}/resume`,
  }),
  [`POST ${TENANTS}/{id}/delete`]: async (at) => ({
    as: 'operator',
    target: `${TENANTS}/${await at.newTenant()}/delete`,
    body: { name: 'Another' },
  }),
  [`POST ${TENANTS}/{id}/restore`]: async (at) => ({
    as: 'operator',
    target: `${TENANTS}/${await at.newTenant()}/restore`,
  }),
  [`GET ${KEYS}`]: () => ({ as: 'operator' }),
  [`POST ${KEYS}`]: ({ tenant }) => ({
    as: 'operator',
    body: { tenantId: tenant, label: 'shop', ratePerMinute: 600 },
  }),
  [`GET ${KEYS}/{id}`]: async (at) => ({ as: 'operator', target: await keyOf(at) }),
  [`PATCH ${KEYS}/{id}`]: async (at) => ({
    as: 'operator',
    target: await keyOf(at),
    body: { ratePerMinute: 900 },
  }),
  [`DELETE ${KEYS}/{id}`]: async (at) => ({ as: 'operator', target: await keyOf(at) }),
  'GET /v1/operator/audit-log': () => ({ as: 'operator' }),
  'GET /v1/operator/acting': () => ({ as: 'operator' }),
  'POST /v1/operator/acting': ({ tenant }) => ({
    as: 'operator',
    body: { organisation: tenant, reason: 'Ticket 4711', mayChange: false },
  }),
  'DELETE /v1/operator/acting': () => ({ as: 'operator' }),
  [`GET ${PARKED}`]: () => ({ as: 'operator' }),
  [`GET ${OVERVIEW}`]: () => ({ as: 'operator' }),
  'GET /v1/operator/health': () => ({ as: 'operator' }),
  [`POST ${PARKED}/{id}/retry`]: async (at) => ({
    as: 'operator',
    target: `${PARKED}/${await parkedAt(at)}/retry`,
  }),
}

const unknownIds: readonly Case[] = (
  [
    [`GET ${TENANTS}/{id}`, 'ten'],
    [`PATCH ${TENANTS}/{id}`, 'ten'],
    [`POST ${TENANTS}/{id}/suspend`, 'ten'],
    [`POST ${TENANTS}/{id}/resume`, 'ten'],
    [`POST ${TENANTS}/{id}/restore`, 'ten'],
    [`GET ${KEYS}/{id}`, 'key'],
    [`DELETE ${KEYS}/{id}`, 'key'],
    [`POST ${PARKED}/{id}/retry`, 'prk'],
  ] as const
).map(([route, kind]) =>
  refuses(route, 'not_found', (at) => {
    const [method, path] = route.split(' ') as [string, string]
    const target = path.replace('{id}', `${kind}_00bbbbbbbbbb`)
    const body = method === 'PATCH' ? { endorsement: 'manual' } : undefined
    return at.ask(method, { as: 'operator', target, ...(body !== undefined && { body }) })
  }),
)

export const operatorCases: readonly Case[] = [
  overviewEdge(OVERVIEW, 'operator'),
  refuses('POST /v1/operator/acting', 'not_found', (at) => {
    const body = { organisation: 'ten_00bbbbbbbbbb', reason: 'Ticket' }
    return at.ask('POST', { as: 'operator', target: '/v1/operator/acting', body })
  }),
  refuses('POST /v1/operator/acting', 'step_up_required', async (at) => {
    const body = { organisation: at.tenant, reason: 'Ticket' }
    return at.raw('POST', { as: await at.stale('operator'), target: '/v1/operator/acting', body })
  }),
  ...unknownIds,
  refuses(`POST ${TENANTS}/{id}/delete`, 'invalid_request', async (at) => {
    const target = `${TENANTS}/${await at.newTenant()}/delete`
    return at.ask('POST', { as: 'operator', target, body: { name: 'Something else' } })
  }),
  refuses(`PATCH ${TENANTS}/{id}`, 'not_found', (at) =>
    at.ask('PATCH', { as: 'operator', target: `${TENANTS}/ten_00bbbbbbbbbb`, body: { ratePerMinute: 1 } }),
  ),
  edge(`PATCH ${TENANTS}/{id}`, 'requests of all keys of an organisation', async (at) => {
    const tenant = await at.newTenant()
    const target = `${TENANTS}/${tenant}`
    await at.ask('PATCH', { as: 'operator', target, body: { ratePerMinute: 2, keyRatePerMinute: 7 } })
    const ledger = (bearer: string) => at.raw('GET', { as: { bearer }, target: '/v1/ledger' })
    const [one, other] = [await at.keyOf(tenant), await at.keyOf(tenant)]
    await ledger(one)
    const [accepted, refused] = [await ledger(other), await ledger(one)]
    return { accepted, refused, as: 'rate_limited', names: '2' }
  }),
  refuses(`PATCH ${TENANTS}/{id}`, 'organisation_being_deleted', async (at) =>
    at.ask('PATCH', {
      as: 'operator',
      target: `${TENANTS}/${await deletingAt(at)}`,
      body: { endorsement: 'manual', ratePerMinute: 1 },
    }),
  ),
  ...(['resume', 'restore'] as const).map((what) =>
    refuses(`POST ${TENANTS}/{id}/${what}`, 'organisation_being_deleted', async (at) =>
      at.ask('POST', { as: 'operator', target: `${TENANTS}/${await deletingAt(at)}/${what}` }),
    ),
  ),
  refuses(`POST ${TENANTS}/{id}/delete`, 'not_found', (at) =>
    at.ask('POST', { as: 'operator', target: `${TENANTS}/ten_00bbbbbbbbbb/delete`, body: { name: 'x' } }),
  ),
  ...(
    [
      `POST ${TENANTS}/{id}/suspend`,
      `POST ${TENANTS}/{id}/resume`,
      `POST ${TENANTS}/{id}/delete`,
      `POST ${TENANTS}/{id}/restore`,
      `DELETE ${KEYS}/{id}`,
    ] as const
  ).map((route) =>
    refuses(route, 'step_up_required', async (at) => {
      const { target = '', body } = await (operatorSamples[route] as Sample)(at)
      return at.raw(route.split(' ')[0] ?? '', { as: await at.stale('operator'), target, body })
    }),
  ),
  refuses(`POST ${KEYS}`, 'not_found', (at) =>
    at.ask('POST', { as: 'operator', target: KEYS, body: { tenantId: 'ten_00bbbbbbbbbb', label: 'x' } }),
  ),
  refuses(`PATCH ${KEYS}/{id}`, 'not_found', (at) =>
    at.ask('PATCH', { as: 'operator', target: `${KEYS}/key_00bbbbbbbbbb`, body: { ratePerMinute: 1 } }),
  ),
  refuses(`POST ${KEYS}`, 'step_up_required', async (at) => {
    const body = { tenantId: at.tenant, label: 'x' }
    return at.raw('POST', { as: await at.stale('operator'), target: KEYS, body })
  }),
]
