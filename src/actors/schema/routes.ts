import { Type } from 'typebox'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { listPage, pageOf, pageReply, statusQuery } from '../../http/route/list.ts'
import { defineRoute, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { shownOrNotFound, shownRecord } from '../own-record.ts'
import { tags } from '../tags.ts'
import { PUBLISHING_STATUSES, schemaSchema, schemaView } from './record.ts'
import { schemas } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'directory' | 'namespace'>

export const schemaRoutes = (ports: Ports): readonly Route[] => {
  const show = shownRecord(ports, schemas, (id, record) => schemaView(ports.namespace, id, record))
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/schemas/{id}',
      operationId: 'getSchema',
      summary: 'Shows a schema',
      tag: tags.catalogue,
      access: { callers: TENANT_CALLERS },
      responses: { 200: schemaSchema },
      errors: ['not_found'],
      handle: ({ caller, params }) => shownOrNotFound(show(caller.tenantId, params.id), 'schema'),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/schemas',
      operationId: 'listSchemas',
      summary: 'Lists schemas, newest first',
      description: '`q` looks in the name.',
      tag: tags.catalogue,
      access: { callers: TENANT_CALLERS },
      query: Type.Object(statusQuery(PUBLISHING_STATUSES)),
      responses: { 200: pageOf(schemaSchema) },
      errors: ['invalid_request'],
      handle: async ({ caller: { tenantId: tenant }, query, head }) => {
        const of = { tenant, kind: 'schema' }
        return pageReply(head, await listPage(ports.directory, of, query, (id) => show(tenant, id)))
      },
    }),
  ]
}
