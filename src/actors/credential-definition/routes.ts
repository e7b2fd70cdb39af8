import { Type } from 'typebox'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { listPage, pageOf, pageReply, statusQuery } from '../../http/route/list.ts'
import { defineRoute, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { shownOrNotFound, shownRecord } from '../own-record.ts'
import { PUBLISHING_STATUSES } from '../schema/record.ts'
import { tags } from '../tags.ts'
import { definitionSchema, definitionView } from './record.ts'
import { definitions } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'directory' | 'namespace'>

export const definitionRoutes = (ports: Ports): readonly Route[] => {
  const show = shownRecord(ports, definitions, (id, record) => definitionView(ports.namespace, id, record))
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/credential-definitions/{id}',
      operationId: 'getCredentialDefinition',
      summary: 'Shows a credential definition',
      tag: tags.catalogue,
      access: { callers: TENANT_CALLERS },
      linkedBy: 'credentialDefinitionId',
      responses: { 200: definitionSchema },
      errors: ['not_found'],
      handle: ({ caller, params }) =>
        shownOrNotFound(show(caller.tenantId, params.id), 'credential definition'),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/credential-definitions',
      operationId: 'listCredentialDefinitions',
      summary: 'Lists credential definitions, newest first',
      description: '`q` looks in the name of the schema and in the tag.',
      tag: tags.catalogue,
      access: { callers: TENANT_CALLERS },
      query: Type.Object(statusQuery(PUBLISHING_STATUSES)),
      responses: { 200: pageOf(definitionSchema) },
      errors: ['invalid_request'],
      handle: async ({ caller: { tenantId: tenant }, query, head }) => {
        const of = { tenant, kind: 'credential-definition' }
        return pageReply(head, await listPage(ports.directory, of, query, (id) => show(tenant, id)))
      },
    }),
  ]
}
