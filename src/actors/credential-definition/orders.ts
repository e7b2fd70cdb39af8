import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { exact } from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { publishSchema } from '../schema/publish.ts'
import { schemaSchema, schemaView } from '../schema/record.ts'
import { publishDefinition } from './publish.ts'
import { definitionSchema, definitionView } from './record.ts'

const NAMES_MAX = 125
const name = Type.String({ minLength: 1, maxLength: 300 })
const refusals = ['invalid_request', 'not_found', 'already_published'] as const

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'namespace'>

/** Publishing, until the console has routes for it: on the private port alone, for the command line. */
export const publishingOrders = (ports: Ports): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/local/schemas',
    operationId: 'publishSchema',
    summary: 'Publishes a schema',
    access: { callers: ['member'] },
    body: exact({ name, version: name, attributes: Type.Array(name, { maxItems: NAMES_MAX }) }),
    responses: { 202: schemaSchema },
    errors: refusals,
    handle: async ({ caller: { tenantId: tenant }, body }) => {
      const made = await publishSchema(ports, { tenant, ...body })
      return isRefused(made)
        ? refusal(refusals, made)
        : reply(202, schemaView(ports.namespace, made.id, made.schema))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/local/credential-definitions',
    operationId: 'publishCredentialDefinition',
    summary: 'Makes keys for a schema and publishes the credential definition',
    access: { callers: ['member'] },
    body: exact({ schemaId: name, tag: name }),
    responses: { 202: definitionSchema },
    errors: refusals,
    handle: async ({ caller: { tenantId: tenant }, body }) => {
      const made = await publishDefinition(ports, { tenant, ...body })
      if (isRefused(made)) return refusal(refusals, made)
      return reply(202, definitionView(ports.namespace, made.id, made.definition))
    },
  }),
]
