import { Type } from 'typebox'
import type { PublicDefinition } from './rules.ts'
import type { SchemaRecord } from '../schema/rules.ts'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { listPage, pageOf, pageQuery, pageReply } from '../../http/route/list.ts'
import { problem } from '../../http/route/problem.ts'
import { definitionSchema, definitionView, schemaSchema, schemaView } from './record.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { Api } from '../api.ts'
import { tags } from '../tags.ts'

const STATUSES = ['pending', 'awaiting_endorsement', 'endorsed', 'published', 'deprecated', 'failed']
const statusQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(
    Type.Unsafe<string>({ type: 'string', enum: STATUSES, description: 'In this state.' }),
  ),
})

const unknown = (name: string) => problem('not_found', `There is no ${name} with this id.`)

const byId = (api: Api): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/schemas/{id}',
    operationId: 'getSchema',
    summary: 'Shows a schema',
    tag: tags.catalogue,
    access: { callers: TENANT_CALLERS },
    responses: { 200: schemaSchema },
    errors: ['not_found'],
    handle: async ({ caller, params: { id } }) => {
      const record = await api.read<SchemaRecord>(caller.tenantId, 'sch', id)
      return record === null ? unknown('schema') : reply(200, schemaView(api.namespace, id, record))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/credential-definitions/{id}',
    operationId: 'getCredentialDefinition',
    summary: 'Shows a credential definition',
    tag: tags.catalogue,
    access: { callers: TENANT_CALLERS },
    responses: { 200: definitionSchema },
    errors: ['not_found'],
    handle: async ({ caller, params: { id } }) => {
      const record = await api.read<PublicDefinition>(caller.tenantId, 'def', id)
      if (record === null) return unknown('credential definition')
      return reply(200, definitionView(api.namespace, id, record))
    },
  }),
]

export const catalogueRoutes = (api: Api): readonly Route[] => [
  ...byId(api),
  defineRoute({
    method: 'GET',
    path: '/v1/schemas',
    operationId: 'listSchemas',
    summary: 'Lists schemas, newest first',
    description: '`q` looks in the name.',
    tag: tags.catalogue,
    access: { callers: TENANT_CALLERS },
    query: statusQuery,
    responses: { 200: pageOf(schemaSchema) },
    errors: ['invalid_request'],
    handle: async ({ caller: { tenantId: tenant }, query: { status, ...paging }, head }) => {
      const request = status === undefined ? paging : { ...paging, state: [status] }
      const page = await listPage(api.directory, { tenant, kind: 'schema' }, request, async (id) => {
        const record = await api.read<SchemaRecord>(tenant, 'sch', id)
        return record === null ? null : schemaView(api.namespace, id, record)
      })
      return pageReply(head, page)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/credential-definitions',
    operationId: 'listCredentialDefinitions',
    summary: 'Lists credential definitions, newest first',
    description: '`q` looks in the name of the schema and in the tag.',
    tag: tags.catalogue,
    access: { callers: TENANT_CALLERS },
    query: statusQuery,
    responses: { 200: pageOf(definitionSchema) },
    errors: ['invalid_request'],
    handle: async ({ caller: { tenantId: tenant }, query: { status, ...paging }, head }) => {
      const request = status === undefined ? paging : { ...paging, state: [status] }
      const of = { tenant, kind: 'credential-definition' } as const
      const page = await listPage(api.directory, of, request, async (id) => {
        const record = await api.read<PublicDefinition>(tenant, 'def', id)
        return record === null ? null : definitionView(api.namespace, id, record)
      })
      return pageReply(head, page)
    },
  }),
]
