import { Type } from 'typebox'
import { connection } from './rules.ts'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { exchangeQuery, listPage, pageOf, pageReply } from '../../http/route/list.ts'
import { connectionSchema, connectionView } from './record.ts'
import { invitationIdText } from '../../http/route/fields.ts'
import { defineRoute, type Route } from '../../http/route/route.ts'
import { shownOrNotFound, shownRecord } from '../own-record.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { tags } from '../tags.ts'

type Ports = Pick<ApiPorts, 'actors' | 'directory'>

export const connectionRoutes = (ports: Ports): readonly Route[] => {
  const show = shownRecord(ports, connection, connectionView)
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/connections',
      operationId: 'listConnections',
      summary: 'Lists connections, newest first',
      description: '`q` looks in the external id and in what the wallet calls itself.',
      tag: tags.connections,
      access: { callers: TENANT_CALLERS },
      linkedBy: 'invitationId',
      query: Type.Object({ ...exchangeQuery, invitationId: Type.Optional(invitationIdText) }),
      responses: { 200: pageOf(connectionSchema) },
      errors: ['invalid_request'],
      handle: async ({ caller: { tenantId: tenant }, query, head }) => {
        const of = { tenant, kind: 'connection', filters: { invitationId: query.invitationId } } as const
        const page = await listPage(ports.directory, of, query, (each) => show(tenant, each))
        return pageReply(head, page)
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/connections/{id}',
      operationId: 'getConnection',
      summary: 'Shows a connection',
      description: 'A connection is ready for offers and proof requests when its state is `completed`.',
      tag: tags.connections,
      access: { callers: TENANT_CALLERS },
      linkedBy: 'connectionId',
      responses: { 200: connectionSchema },
      errors: ['not_found'],
      handle: ({ caller, params }) => shownOrNotFound(show(caller.tenantId, params.id), 'connection'),
    }),
  ]
}
