import { type Case, edge, refuses, type Samples } from '../table.ts'
import { WIDE_ATTRIBUTES } from '../wide-attributes.ts'
import { biometricCases, biometricSamples, gatedTemplateCases } from './biometric.ts'
import { goneMember, type Json, type World } from '../world.ts'
import { overviewEdge } from './overview.ts'

const TEMPLATES = '/v1/proof-templates'
const WEBHOOK = '/v1/webhook'
const RETENTION = '/v1/data-retention'
const OVERVIEW = '/v1/overview'
const ORGANISATION = '/v1/organisation'
const predicate = { group: 'person', attribute: 'name', operator: '>=', value: 1 }
const groupsOf = (at: World, more: Json) => at.groups.map((group) => ({ ...group, ...more }))
const contentOf = ({ groups }: World, more: Json = {}): Json => ({
  name: 'Entry',
  description: 'At the door',
  groups,
  predicates: [predicate],
  ...more,
})
/** What a predicate compares stands in a group of that name. */
const sameGroup = (body: Json, changed: string): Json => {
  const [group] = body['groups'] as readonly Json[]
  const [first] = body['predicates'] as readonly Json[]
  if (changed === 'groups.0.name') return { ...body, predicates: [{ ...first, group: group?.['name'] }] }
  if (changed === 'predicates.0.group') return { ...body, groups: [{ ...group, name: first?.['group'] }] }
  return body
}
const wide = new WeakMap<World, Promise<string>>()
/** With a definition that has as many attributes as there may be. */
const wideContent = async (at: World): Promise<Json> => {
  const published = wide.get(at) ?? at.publish(WIDE_ATTRIBUTES)
  wide.set(at, published)
  // One that failed is not what the next case has to live with.
  published.catch(() => wide.delete(at))
  return contentOf(at, { groups: groupsOf(at, { credentialDefinitionIds: [await published] }) })
}
const templateOf = async (at: World): Promise<string> =>
  `${TEMPLATES}/${String((await at.post(TEMPLATES, contentOf(at), 'admin'))['id'])}`
const url = 'https://receiver.example/hook'
const setWebhook = (at: World) => at.ask('PUT', { as: 'admin', target: WEBHOOK, body: { url } })

const DELIVERIES = `${WEBHOOK}/deliveries`
/** Of a test event. */
const deliveryOf = async (at: World): Promise<string> => {
  await setWebhook(at)
  return `${DELIVERIES}/${String((await at.post(`${WEBHOOK}/test`, undefined, 'admin'))['id'])}`
}

export const setupSamples: Samples = {
  'GET /v1/schemas': () => ({ as: 'key' }),
  'GET /v1/schemas/{id}': ({ schemaId }) => ({ as: 'key', target: `/v1/schemas/${schemaId}` }),
  'GET /v1/credential-definitions': () => ({ as: 'key' }),
  'GET /v1/credential-definitions/{id}': ({ definitionId }) => ({
    as: 'key',
    target: `/v1/credential-definitions/${definitionId}`,
  }),
  [`GET ${TEMPLATES}`]: () => ({ as: 'key' }),
  [`GET ${TEMPLATES}/{id}`]: ({ templateId }) => ({ as: 'key', target: `${TEMPLATES}/${templateId}` }),
  [`POST ${TEMPLATES}`]: async (at) => ({
    as: 'admin',
    body: await wideContent(at),
    alongside: sameGroup,
  }),
  [`PATCH ${TEMPLATES}/{id}`]: async (at) => ({
    as: 'admin',
    target: await templateOf(at),
    body: await wideContent(at),
    alongside: sameGroup,
  }),
  [`POST ${TEMPLATES}/{id}/archive`]: async (at) => ({
    as: 'admin',
    target: `${await templateOf(at)}/archive`,
  }),
  [`GET ${WEBHOOK}`]: () => ({ as: 'key' }),
  [`PUT ${WEBHOOK}`]: () => ({ as: 'admin', body: { url, eventTypes: ['credential.state_changed'] } }),
  [`DELETE ${WEBHOOK}`]: () => ({ as: 'admin' }),
  [`POST ${WEBHOOK}/secret`]: async (at) => {
    await setWebhook(at)
    return { as: 'admin' }
  },
  [`POST ${WEBHOOK}/test`]: async (at) => {
    await setWebhook(at)
    return { as: 'admin' }
  },
  [`GET ${DELIVERIES}`]: async (at) => {
    await deliveryOf(at)
    return { as: 'key' }
  },
  [`GET ${DELIVERIES}/{id}`]: async (at) => ({ as: 'key', target: await deliveryOf(at) }),
  [`POST ${DELIVERIES}/{id}/retry`]: async (at) => ({
    as: 'admin',
    target: `${await deliveryOf(at)}/retry`,
  }),
  [`POST ${DELIVERIES}/retry`]: async (at) => {
    await deliveryOf(at)
    return { as: 'admin', body: { status: 'delivered', from: '2020-01-01T00:00:00Z' } }
  },
  [`GET ${RETENTION}`]: () => ({ as: 'key' }),
  [`GET ${ORGANISATION}`]: () => ({ as: 'admin' }),
  [`PUT ${RETENTION}`]: () => ({ as: 'admin', body: { retentionDays: 30 } }),
  [`GET ${RETENTION}/preview`]: () => ({ as: 'viewer', target: `${RETENTION}/preview?retentionDays=30` }),
  [`GET ${OVERVIEW}`]: () => ({ as: 'viewer' }),
  ...biometricSamples,
  'GET /v1/ledger': () => ({ as: 'key' }),
  'GET /v1/health': () => ({ as: 'nobody' }),
  'GET /openapi.json': () => ({ as: 'nobody' }),
  'GET /v1/audit-log': () => ({ as: 'admin' }),
}

const unknownIds: readonly Case[] = (
  [
    ['GET /v1/schemas/{id}', 'sch'],
    ['GET /v1/credential-definitions/{id}', 'def'],
    [`GET ${TEMPLATES}/{id}`, 'tpl'],
    [`PATCH ${TEMPLATES}/{id}`, 'tpl'],
    [`POST ${TEMPLATES}/{id}/archive`, 'tpl'],
    [`GET ${DELIVERIES}/{id}`, 'whd'],
    [`POST ${DELIVERIES}/{id}/retry`, 'whd'],
  ] as const
).map(([route, kind]) =>
  refuses(route, 'not_found', (at) => {
    const [method, path] = route.split(' ') as [string, string]
    const target = path.replace('{id}', `${kind}_00bbbbbbbbbb`)
    const body = method === 'PATCH' ? { name: 'x' } : undefined
    return at.ask(method, {
      as: method === 'GET' ? 'key' : 'admin',
      target,
      ...(body !== undefined && { body }),
    })
  }),
)

const template = (at: World, more: Json) =>
  at.ask('POST', { as: 'admin', target: TEMPLATES, body: contentOf(at, more) })

const templateCases: readonly Case[] = [
  refuses(`POST ${TEMPLATES}`, 'credential_definition_not_found', (at) =>
    template(at, { groups: groupsOf(at, { credentialDefinitionIds: ['def_00bbbbbbbbbb'] }) }),
  ),
  refuses(`PATCH ${TEMPLATES}/{id}`, 'credential_definition_not_found', async (at) => {
    const body = { groups: groupsOf(at, { credentialDefinitionIds: ['def_00bbbbbbbbbb'] }) }
    return at.ask('PATCH', { as: 'admin', target: await templateOf(at), body })
  }),
  refuses(`POST ${TEMPLATES}`, 'not_found', (at) => at.gone('POST', TEMPLATES, contentOf(at))),
  edge(`POST ${TEMPLATES}`, 'a group’s name of 100 characters', async (at) => {
    const named = (length: number) =>
      template(at, { groups: groupsOf(at, { name: 'n'.repeat(length) }), predicates: [] })
    return { accepted: await named(100), refused: await named(101), as: 'invalid_request' }
  }),
  edge(`POST ${TEMPLATES}`, 'an archived template is not edited', async (at) => {
    const target = await templateOf(at)
    const edit = () => at.ask('PATCH', { as: 'admin', target, body: { name: 'Other' } })
    const accepted = await edit()
    await at.ask('POST', { as: 'admin', target: `${target}/archive` })
    return { accepted, refused: await edit(), as: 'invalid_request' }
  }),
]

const ledger = (at: World, bearer: string) => at.raw('GET', { as: { bearer }, target: '/v1/ledger' })

/** The last one within the window, and the first one above it, which succeeds when it comes again as it was told. */
const rateEdge = (of: string, max: number, credentialOf: (at: World) => Promise<string>): Case =>
  edge('GET /v1/ledger', of, async (at) => {
    const bearer = await credentialOf(at)
    for (let count = 1; count < max; count++) await ledger(at, bearer)
    const [accepted, refused] = [await ledger(at, bearer), await ledger(at, bearer)]
    await at.pass(Number(refused.headers['retry-after']) * 1_000)
    const again = await ledger(at, bearer)
    return { accepted: accepted.status === 200 ? again : accepted, refused, as: 'rate_limited' }
  })

const rateCases: readonly Case[] = [
  edge('GET /v1/ledger', '300 requests of an API key at once', async (at) => {
    const bearer = await at.keyWithRate(300)
    const burst = await Promise.all(Array.from({ length: 300 }, () => ledger(at, bearer)))
    const turnedAway = burst.find(({ status }) => status !== 200)
    return {
      accepted: turnedAway ?? (await ledger(at, await at.keyWithRate(300))),
      refused: await ledger(at, bearer),
      as: 'rate_limited',
    }
  }),
  rateEdge('300 requests of an API key in a minute', 300, (at) => at.keyWithRate(300)),
  rateEdge('60 requests of a wallet token in a minute', 60, async (at) => {
    const headers = at.installation()
    const made = await at.ask('POST', { as: 'key', target: '/v1/wallets', body: {}, headers })
    return String(made.json['walletToken'])
  }),
]

export const setupCases: readonly Case[] = [
  overviewEdge(OVERVIEW, 'admin'),
  ...rateCases,
  ...unknownIds,
  ...templateCases,
  ...gatedTemplateCases,
  ...biometricCases,
  refuses(`PUT ${WEBHOOK}`, 'step_up_required', async (at) =>
    at.raw('PUT', { as: await at.stale(), target: WEBHOOK, body: { url } }),
  ),
  refuses(`DELETE ${WEBHOOK}`, 'step_up_required', async (at) =>
    at.raw('DELETE', { as: await at.stale(), target: WEBHOOK }),
  ),
  refuses(`POST ${WEBHOOK}/secret`, 'step_up_required', async (at) =>
    at.raw('POST', { as: await at.stale(), target: `${WEBHOOK}/secret` }),
  ),
  refuses(`POST ${WEBHOOK}/secret`, 'not_found', async (at) => {
    await at.ask('DELETE', { as: 'admin', target: WEBHOOK })
    return at.ask('POST', { as: 'admin', target: `${WEBHOOK}/secret` })
  }),
  ...['test', 'deliveries/retry'].map((path) =>
    refuses(`POST ${WEBHOOK}/${path}`, 'not_found', async (at) => {
      await at.ask('DELETE', { as: 'admin', target: WEBHOOK })
      const body = path === 'test' ? {} : { body: { status: 'dead' } }
      return at.ask('POST', { as: 'admin', target: `${WEBHOOK}/${path}`, ...body })
    }),
  ),
  edge(`PUT ${WEBHOOK}`, 'https only', async (at) => {
    at.inside('a service that calls no private addresses')
    const body = { url: 'http://receiver.example/' }
    return {
      accepted: await setWebhook(at),
      refused: await at.ask('PUT', { as: 'admin', target: WEBHOOK, body }),
      as: 'invalid_request',
    }
  }),
  refuses(`GET ${ORGANISATION}`, 'not_found', (at) => at.gone('GET', ORGANISATION)),
  refuses(`GET ${RETENTION}`, 'not_found', (at) => at.gone('GET', RETENTION, undefined, goneMember)),
  refuses(`PUT ${RETENTION}`, 'not_found', (at) => at.gone('PUT', RETENTION, { retentionDays: 1 })),
]
