import { Type } from 'typebox'
import { chain } from '../../domain/eventually.ts'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { statusQuery } from '../../http/route/list.ts'
import { exact, organisationId, sentText } from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type AuditTraits, type Route } from '../../http/route/route.ts'
import { newRef } from '../ids.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { readingRoutes } from '../reading-routes.ts'
import { tags } from '../tags.ts'
import { readTenant } from '../tenant/read.ts'
import { createApiKey, readApiKey, revokeApiKey, setApiKeyRate } from './commands.ts'
import { apiKeySchema, apiKeyView, apiKeyWithSecretSchema } from './record.ts'
import { apiKey, type ApiKeyRecord } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'directory' | 'tokenTags'>

const PATH = '/v1/operator/api-keys'
const LABEL_CHARACTERS_MAX = 200
const RATE_PER_MINUTE_MAX = 1_000_000
const unknown = ['not_found'] as const

const ratePerMinute = Type.Integer({
  minimum: 1,
  maximum: RATE_PER_MINUTE_MAX,
  description: 'Requests in any minute; left out: what new keys of the organisation may make.',
  examples: [600],
})
const order = exact({
  tenantId: organisationId,
  label: sentText(LABEL_CHARACTERS_MAX, 'What it is for.', 'Backend'),
  ratePerMinute: Type.Optional(ratePerMinute),
})

const answer = (id: string, found: ApiKeyRecord | Refused) =>
  isRefused(found) ? refusal(unknown, found) : reply(200, apiKeyView(id, found))

const viewOf = (ports: Ports, id: string) =>
  chain(readApiKey(ports, id), (found) => (isRefused(found) ? null : apiKeyView(id, found)))

/** Keys of organisations' backends. A key is in the one answer that makes it. */
export const operatorApiKeyRoutes = (ports: Ports): readonly Route[] => {
  const { list, show } = readingRoutes(ports, {
    path: PATH,
    tag: tags.operators,
    callers: ['operator'],
    kind: 'api-key',
    noun: 'API key',
    list: { operationId: 'listApiKeys', summary: 'Lists API keys, newest first; q looks in their labels' },
    show: { operationId: 'getApiKey', summary: 'Shows an API key, without the key itself' },
    query: { ...statusQuery(['active', 'revoked']), tenantId: Type.Optional(organisationId) },
    record: apiKeySchema,
    view: (_, id) => viewOf(ports, id),
  })
  return [
    list,
    createRoute(ports),
    show,
    rateRoute(ports),
    defineRoute({
      method: 'DELETE',
      path: `${PATH}/{id}`,
      operationId: 'revokeApiKey',
      summary: 'Ends an API key at once',
      tag: tags.operators,
      access: { callers: ['operator'], needsStepUp: true },
      audit: { organisation: organisationOfKey(ports) },
      responses: { 200: apiKeySchema },
      errors: unknown,
      handle: async ({ params: { id } }) => answer(id, await revokeApiKey(ports, id)),
    }),
  ]
}

const organisationOfKey =
  (ports: Ports): NonNullable<AuditTraits['organisation']> =>
  async ({ params: { id = '' } }) => {
    const found = await readApiKey(ports, id)
    return isRefused(found) ? null : found.tenant
  }

const rateRoute = (ports: Ports): Route =>
  defineRoute({
    method: 'PATCH',
    path: `${PATH}/{id}`,
    operationId: 'setApiKeyRate',
    summary: 'Changes the rate of an API key; one that is revoked stays as it is',
    tag: tags.operators,
    access: { callers: ['operator'] },
    audit: { organisation: organisationOfKey(ports) },
    body: exact({
      ratePerMinute: Type.Union([ratePerMinute, Type.Null()], {
        description: 'Requests in any minute; null: as many as every key may make.',
        examples: [900],
      }),
    }),
    responses: { 200: apiKeySchema },
    errors: unknown,
    handle: async ({ params: { id }, body }) =>
      answer(id, await setApiKeyRate(ports, id, body.ratePerMinute)),
  })

const createRoute = (ports: Ports): Route =>
  defineRoute({
    method: 'POST',
    path: PATH,
    operationId: 'createApiKey',
    summary: 'Makes an API key; it is shown this once',
    tag: tags.operators,
    access: { callers: ['operator'], needsStepUp: true },
    idempotency: {
      newRecordId: () => newRef(apiKey, ports.runtime),
      showRecord: (_, id) => viewOf(ports, id),
      storedFields: ['status', 'ratePerMinute', 'revokedAt'],
      secretFields: ['key'],
    },
    audit: {
      organisation: async ({ body }) => {
        const { tenantId } = body as { readonly tenantId: string }
        return isRefused(await readTenant(ports, tenantId)) ? null : tenantId
      },
    },
    body: order,
    responses: { 201: apiKeyWithSecretSchema },
    errors: unknown,
    handle: async ({ body: { tenantId: tenant, ...wanted }, recordId }) => {
      const made = await createApiKey(ports, { tenant, ...wanted }, recordId)
      if (isRefused(made)) return refusal(unknown, made)
      return reply(201, { ...apiKeyView(made.id, made.apiKey), key: made.key })
    },
  })
