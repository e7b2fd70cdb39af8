import { Type } from 'typebox'
import { isRefused } from '../../domain/refused.ts'
import { OPERATORS } from '../../domain/operators.ts'
import { listPage, pageOf, pageQuery, pageReply } from '../../http/route/list.ts'
import { exact, organisationId } from '../../http/route/fields.ts'
import { apiKeySchema, apiKeyView, apiKeyWithSecretSchema } from '../tenant/record.ts'
import { refusal } from '../../http/route/problem.ts'
import { type AuditTraits, defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { OperatorApi } from '../tenant/operator-api.ts'
import { tags } from '../tags.ts'

const STATUSES = ['active', 'revoked']
const LABEL_CHARACTERS_MAX = 200
const RATE_PER_MINUTE_MAX = 1_000_000
const unknown = ['not_found'] as const

const ratePerMinute = Type.Integer({
  minimum: 1,
  maximum: RATE_PER_MINUTE_MAX,
  description: 'Requests in any minute; left out: as many as every key may make.',
  examples: [600],
})
const order = exact({
  tenantId: organisationId,
  label: Type.String({
    minLength: 1,
    maxLength: LABEL_CHARACTERS_MAX,
    description: 'What it is for.',
    examples: ['Backend'],
  }),
  ratePerMinute: Type.Optional(ratePerMinute),
})

/** Keys of organisations' backends. A key is in the one answer that makes it. */
export const operatorApiKeyRoutes = (api: OperatorApi): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/operator/api-keys',
    operationId: 'listApiKeys',
    summary: 'Lists API keys, newest first; q looks in their labels',
    tag: tags.operators,
    access: { callers: ['operator'] },
    query: Type.Object({
      ...pageQuery,
      tenantId: Type.Optional(organisationId),
      status: Type.Optional(
        Type.Unsafe<string>({ type: 'string', enum: STATUSES, description: 'In this state.' }),
      ),
    }),
    responses: { 200: pageOf(apiKeySchema) },
    errors: ['invalid_request'],
    handle: async ({ query: { status, tenantId, ...paging }, head }) => {
      const request = status === undefined ? paging : { ...paging, state: [status] }
      const of = { tenant: OPERATORS, kind: 'api-key', filters: { tenantId } } as const
      const page = await listPage(api.directory, of, request, (each) =>
        api.apiKey(each).then((found) => (isRefused(found) ? null : apiKeyView(each, found))),
      )
      return pageReply(head, page)
    },
  }),
  createRoute(api),
  defineRoute({
    method: 'GET',
    path: '/v1/operator/api-keys/{id}',
    operationId: 'getApiKey',
    summary: 'Shows an API key, without the key itself',
    tag: tags.operators,
    access: { callers: ['operator'] },
    responses: { 200: apiKeySchema },
    errors: unknown,
    handle: async ({ params }) => {
      const found = await api.apiKey(params.id)
      return isRefused(found) ? refusal(unknown, found) : reply(200, apiKeyView(params.id, found))
    },
  }),
  rateRoute(api),
  defineRoute({
    method: 'DELETE',
    path: '/v1/operator/api-keys/{id}',
    operationId: 'revokeApiKey',
    summary: 'Ends an API key at once',
    tag: tags.operators,
    access: { callers: ['operator'] },
    audit: { organisation: organisationOfKey(api) },
    responses: { 200: apiKeySchema },
    errors: unknown,
    handle: async ({ params }) => {
      const revoked = await api.revokeApiKey(params.id)
      return isRefused(revoked) ? refusal(unknown, revoked) : reply(200, apiKeyView(params.id, revoked))
    },
  }),
]

const organisationOfKey =
  (api: OperatorApi): NonNullable<AuditTraits['organisation']> =>
  async ({ params: { id: keyId = '' } }) => {
    const found = await api.apiKey(keyId)
    return isRefused(found) ? null : found.tenant
  }

const rateRoute = (api: OperatorApi): Route =>
  defineRoute({
    method: 'PATCH',
    path: '/v1/operator/api-keys/{id}',
    operationId: 'setApiKeyRate',
    summary: 'Changes the rate of an API key; one that is revoked stays as it is',
    tag: tags.operators,
    access: { callers: ['operator'] },
    audit: { organisation: organisationOfKey(api) },
    body: exact({
      ratePerMinute: Type.Union([ratePerMinute, Type.Null()], {
        description: 'Requests in any minute; null: as many as every key may make.',
        examples: [900],
      }),
    }),
    responses: { 200: apiKeySchema },
    errors: unknown,
    handle: async ({ params, body }) => {
      const set = await api.setApiKeyRate(params.id, body.ratePerMinute)
      return isRefused(set) ? refusal(unknown, set) : reply(200, apiKeyView(params.id, set))
    },
  })

const createRoute = (api: OperatorApi): Route =>
  defineRoute({
    method: 'POST',
    path: '/v1/operator/api-keys',
    operationId: 'createApiKey',
    summary: 'Makes an API key; it is shown this once',
    tag: tags.operators,
    access: { callers: ['operator'], needsStepUp: true },
    idempotency: {
      newRecordId: () => api.newApiKeyId(),
      showRecord: (_, id) =>
        api.apiKey(id).then((found) => (isRefused(found) ? null : apiKeyView(id, found))),
      storedFields: ['status', 'ratePerMinute', 'revokedAt'],
      secretFields: ['key'],
    },
    audit: {
      organisation: async ({ body }) => {
        const { tenantId } = body as { readonly tenantId: string }
        return isRefused(await api.tenant(tenantId)) ? null : tenantId
      },
    },
    body: order,
    responses: { 201: apiKeyWithSecretSchema },
    errors: unknown,
    handle: async ({ body: { tenantId: tenant, ...wanted }, recordId }) => {
      const made = await api.createApiKey({ tenant, ...wanted }, recordId)
      if (isRefused(made)) return refusal(unknown, made)
      return reply(201, { ...apiKeyView(made.id, made.apiKey), key: made.key })
    },
  })
