import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { exact } from '../../http/route/fields.ts'
import { problem, refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { ownRecord } from '../own-record.ts'
import { orderedName, publishingRefusals } from '../schema/orders.ts'
import { publishDefinition } from './publish.ts'
import { definitionSchema, definitionView } from './record.ts'
import { credentialDefinition, type DefinitionRecord } from './rules.ts'

const PATH = '/local/credential-definitions'

/** Beside what the API shows: whether the keys are made, for which an operator may wait minutes. */
const orderedDefinition = exact({ ...definitionSchema.properties, keysMade: Type.Boolean() })

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'namespace'>

/** Publishing, until the console has routes for it: on the private port alone, for the command line. */
export const definitionOrders = (ports: Ports): readonly Route[] => {
  const view = (id: string, definition: DefinitionRecord) => ({
    ...definitionView(ports.namespace, id, definition),
    keysMade: definition.keys !== null,
  })
  return [
    defineRoute({
      method: 'POST',
      path: PATH,
      operationId: 'publishCredentialDefinition',
      summary: 'Makes keys for a schema and publishes the credential definition',
      access: { callers: ['member'] },
      body: exact({ schemaId: orderedName, tag: orderedName }),
      responses: { 202: orderedDefinition },
      errors: publishingRefusals,
      handle: async ({ caller: { tenantId: tenant }, body }) => {
        const made = await publishDefinition(ports, { tenant, ...body })
        return isRefused(made)
          ? refusal(publishingRefusals, made)
          : reply(202, view(made.id, made.definition))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/{id}`,
      // As the public route is called, so that the audit log has one name for a look at a definition.
      operationId: 'getCredentialDefinition',
      summary: 'Shows a credential definition, and whether its keys are made',
      access: { callers: ['member'] },
      responses: { 200: orderedDefinition },
      errors: ['not_found'],
      handle: async ({ caller: { tenantId }, params: { id } }) => {
        const found = await ownRecord(ports, credentialDefinition, tenantId, id)
        return found === null
          ? problem('not_found', 'There is no credential definition with this id.')
          : reply(200, view(id, found))
      },
    }),
  ]
}
