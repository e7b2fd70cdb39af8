import { Type } from 'typebox'
import { isRefused } from '../../domain/refused.ts'
import { exact } from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { UseCasePorts } from '../command-ports.ts'
import { publishDefinition, publishSchema } from './publish.ts'
import { definitionSchema, definitionView, schemaSchema, schemaView } from './record.ts'

const NAMES_MAX = 125
const name = Type.String({ minLength: 1, maxLength: 300 })
const refusals = ['invalid_request', 'not_found', 'already_published'] as const

/** Publishing, until the console has routes for it: on the private port alone, for the command line. */
export const publishingOrders = (ports: UseCasePorts, namespace: string): readonly Route[] => [
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
        : reply(202, schemaView(namespace, made.id, made.schema))
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
      return reply(202, definitionView(namespace, made.id, made.definition))
    },
  }),
]
