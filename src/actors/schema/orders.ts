import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { exact } from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { publishSchema } from './publish.ts'
import { schemaSchema, schemaView } from './record.ts'

const NAMES_MAX = 125
/** A name in an order, loosely bounded: what a name may be exactly is for the rules to say. */
export const orderedName = Type.String({ minLength: 1, maxLength: 300 })
export const publishingRefusals = ['invalid_request', 'not_found', 'already_published'] as const

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'namespace'>

/** Publishing, until the console has a route for it: on the private port alone, for the command line. */
export const schemaOrders = (ports: Ports): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/local/schemas',
    operationId: 'publishSchema',
    summary: 'Publishes a schema',
    access: { callers: ['member'] },
    body: exact({
      name: orderedName,
      version: orderedName,
      attributes: Type.Array(orderedName, { maxItems: NAMES_MAX }),
    }),
    responses: { 202: schemaSchema },
    errors: publishingRefusals,
    handle: async ({ caller: { tenantId: tenant }, body }) => {
      const made = await publishSchema(ports, { tenant, ...body })
      return isRefused(made)
        ? refusal(publishingRefusals, made)
        : reply(202, schemaView(ports.namespace, made.id, made.schema))
    },
  }),
]
