import { Type } from 'typebox'
import { isRefused } from '../../domain/refused.ts'
import { OPERATORS } from '../../domain/operators.ts'
import { listPage, pageOf, pageQuery, pageReply } from '../../http/route/list.ts'
import { exact, NOT_BLANK } from '../../http/route/fields.ts'
import { tenantSchema, tenantView } from './record.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { OperatorApi } from './operator-api.ts'
import { tags } from '../tags.ts'

const STATUSES = ['active', 'suspended']
const NAME_CHARACTERS_MAX = 200
const createRefusals = ['invalid_request'] as const
const unknown = ['not_found'] as const

const order = exact({
  name: Type.String({
    minLength: 1,
    maxLength: NAME_CHARACTERS_MAX,
    pattern: NOT_BLANK,
    description: 'What it is called.',
    examples: ['Registry of Example'],
  }),
})

/** Organisations, as the operators of the service see them. */
export const operatorTenantRoutes = (api: OperatorApi): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/operator/tenants',
    operationId: 'listTenants',
    summary: 'Lists organisations, newest first; q looks in their names',
    tag: tags.operators,
    access: { callers: ['operator'] },
    query: Type.Object({
      ...pageQuery,
      status: Type.Optional(
        Type.Unsafe<string>({ type: 'string', enum: STATUSES, description: 'In this state.' }),
      ),
    }),
    responses: { 200: pageOf(tenantSchema) },
    errors: ['invalid_request'],
    handle: async ({ query: { status, ...paging }, head }) => {
      const request = status === undefined ? paging : { ...paging, state: [status] }
      const page = await listPage(api.directory, { tenant: OPERATORS, kind: 'tenant' }, request, (id) =>
        api.tenant(id).then((found) => (isRefused(found) ? null : tenantView(id, found))),
      )
      return pageReply(head, page)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/operator/tenants',
    operationId: 'createTenant',
    summary: 'Creates an organisation and its identity on the ledger',
    tag: tags.operators,
    access: { callers: ['operator'] },
    body: order,
    responses: { 201: tenantSchema },
    errors: createRefusals,
    idempotency: {
      newRecordId: () => api.newTenantId(),
      showRecord: (_, id) => viewOf(api, id),
      storedFields: ['status', 'registered', 'lastError', 'updatedAt'],
    },
    handle: async ({ body, recordId }) => {
      const made = await api.createTenant(body.name, recordId)
      return isRefused(made) ? refusal(createRefusals, made) : reply(201, tenantView(recordId, made))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/operator/tenants/{id}',
    operationId: 'getTenant',
    summary: 'Shows an organisation',
    tag: tags.operators,
    access: { callers: ['operator'] },
    responses: { 200: tenantSchema },
    errors: unknown,
    handle: async ({ params: { id } }) => {
      const found = await api.tenant(id)
      return isRefused(found) ? refusal(unknown, found) : reply(200, tenantView(id, found))
    },
  }),
  switching(
    api,
    'suspend',
    'Suspends an organisation: its keys and sessions are refused, its holders are not',
  ),
  switching(api, 'resume', 'Ends the suspension of an organisation'),
]

const viewOf = async (api: OperatorApi, id: string) => {
  const found = await api.tenant(id)
  return isRefused(found) ? null : tenantView(id, found)
}

const switching = (api: OperatorApi, word: 'suspend' | 'resume', summary: string): Route =>
  defineRoute({
    method: 'POST',
    path: `/v1/operator/tenants/{id}/${word}` as const,
    operationId: `${word}Tenant`,
    summary,
    tag: tags.operators,
    access: { callers: ['operator'] },
    idempotency: {
      newRecordId: ({ params: { id = '' } }) => (api.isTenantId(id) ? id : api.newTenantId()),
      showRecord: (_, id) => viewOf(api, id),
      storedFields: ['status', 'registered', 'lastError', 'updatedAt'],
    },
    audit: {
      organisation: async ({ params: { id = '' } }) => (isRefused(await api.tenant(id)) ? null : id),
    },
    responses: { 200: tenantSchema },
    errors: unknown,
    handle: async ({ params: { id } }) => {
      const changed = await (word === 'suspend' ? api.suspendTenant(id) : api.resumeTenant(id))
      return isRefused(changed) ? refusal(unknown, changed) : reply(200, tenantView(id, changed))
    },
  })
