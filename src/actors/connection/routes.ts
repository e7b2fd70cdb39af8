import { Type } from 'typebox'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { idText } from '../../http/route/fields.ts'
import { stateQuery } from '../../http/route/list.ts'
import type { Route } from '../../http/route/route.ts'
import { shownRecord } from '../own-record.ts'
import { readingRoutes } from '../reading-routes.ts'
import { eraseRoute } from '../ending-routes.ts'
import { tags } from '../tags.ts'
import { timelineRoute } from '../timeline.ts'
import { connectionErasures, type ErasurePorts } from './erase.ts'
import { connectionSchema, connectionView } from './record.ts'
import { connection } from './rules.ts'

const invitationIdText = idText(
  'The invitation that was answered, by a new connection or by one that its wallet had and used again.',
  'inv_a04c6e8g1j3m5p7r9t2v4x6z',
)

export const connectionRoutes = (ports: ErasurePorts): readonly Route[] => {
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
    query: { ...stateQuery, invitationId: Type.Optional(invitationIdText) },
    record: connectionSchema,
    view: shownRecord(ports, connection, connectionView),
  })
  const erase = eraseRoute(ports, {
    path: '/v1/connections',
    tag: tags.connections,
    name: 'Connection',
    noun: 'connection',
    references: connection,
    record: connectionSchema,
    view: connectionView,
    description:
      'In whatever state it is, it is `closed` and erased when this answers, and none of its exchanges shows personal data any more. What was still running on it becomes `abandoned`, which the wallet is told once; then each exchange is erased, with its own `record.erased` and its entry in `GET /v1/erasures`: with thousands of exchanges that takes some minutes. The credentials in the wallet stay valid. Erasing it again changes nothing.',
    errors: ['not_found'],
    erase: connectionErasures(ports),
  })
  const timeline = timelineRoute(ports, {
    path: '/v1/connections',
    tag: tags.connections,
    name: 'Connection',
    noun: 'connection',
    recordType: 'connection',
    references: connection,
    messages: { 'request-received': 'in:request', 'response-sent': 'out:response', completed: 'in:complete' },
  })
  return [list, show, timeline, erase]
}
