import { Type } from 'typebox'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { invitationIdText } from '../../http/route/fields.ts'
import { exchangeQuery } from '../../http/route/list.ts'
import type { Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { shownRecord } from '../own-record.ts'
import { readingRoutes } from '../reading-routes.ts'
import { tags } from '../tags.ts'
import { connectionSchema, connectionView } from './record.ts'
import { connection } from './rules.ts'

export const connectionRoutes = (ports: Pick<ApiPorts, 'actors' | 'directory'>): readonly Route[] => {
  const { list, show } = readingRoutes(ports, {
    path: '/v1/connections',
    tag: tags.connections,
    callers: TENANT_CALLERS,
    kind: 'connection',
    noun: 'connection',
    list: {
      operationId: 'listConnections',
      linkedBy: 'invitationId',
      summary: 'Lists connections, newest first',
      description: '`q` looks in the external id and in what the wallet calls itself.',
    },
    show: {
      operationId: 'getConnection',
      linkedBy: 'connectionId',
      summary: 'Shows a connection',
      description: 'A connection is ready for offers and proof requests when its state is `completed`.',
    },
    query: { ...exchangeQuery, invitationId: Type.Optional(invitationIdText) },
    record: connectionSchema,
    view: shownRecord(ports, connection, connectionView),
  })
  return [list, show]
}
