import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { statusQuery } from '../../http/route/list.ts'
import type { Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { shownRecord } from '../own-record.ts'
import { readingRoutes } from '../reading-routes.ts'
import { tags } from '../tags.ts'
import { PUBLISHING_STATUSES, schemaSchema, schemaView } from './record.ts'
import { schema } from './rules.ts'

export const schemaRoutes = (
  ports: Pick<ApiPorts, 'actors' | 'directory' | 'namespace'>,
): readonly Route[] => {
  const { list, show } = readingRoutes(ports, {
    path: '/v1/schemas',
    tag: tags.catalogue,
    callers: TENANT_CALLERS,
    kind: 'schema',
    noun: 'schema',
    list: {
      operationId: 'listSchemas',
      summary: 'Lists schemas, newest first',
      description: '`q` looks in the name.',
    },
    show: { operationId: 'getSchema', summary: 'Shows a schema' },
    query: statusQuery(PUBLISHING_STATUSES),
    record: schemaSchema,
    view: shownRecord(ports, schema, (id, record) => schemaView(ports.namespace, id, record)),
  })
  return [show, list]
}
