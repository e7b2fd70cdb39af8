import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { statusQuery } from '../../http/route/list.ts'
import type { Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { shownRecord } from '../own-record.ts'
import { readingRoutes } from '../reading-routes.ts'
import { PUBLISHING_STATUSES } from '../schema/record.ts'
import { tags } from '../tags.ts'
import { definitionSchema, definitionView } from './record.ts'
import { credentialDefinition } from './rules.ts'

export const definitionRoutes = (
  ports: Pick<ApiPorts, 'actors' | 'directory' | 'namespace'>,
): readonly Route[] => {
  const { list, show } = readingRoutes(ports, {
    path: '/v1/credential-definitions',
    tag: tags.catalogue,
    callers: TENANT_CALLERS,
    kind: 'credential-definition',
    noun: 'credential definition',
    list: {
      operationId: 'listCredentialDefinitions',
      summary: 'Lists credential definitions, newest first',
      description: '`q` looks in the name of the schema and in the tag.',
    },
    show: {
      operationId: 'getCredentialDefinition',
      linkedBy: 'credentialDefinitionId',
      summary: 'Shows a credential definition',
    },
    query: statusQuery(PUBLISHING_STATUSES),
    record: definitionSchema,
    view: shownRecord(ports, credentialDefinition, (id, record) =>
      definitionView(ports.namespace, id, record),
    ),
  })
  return [show, list]
}
