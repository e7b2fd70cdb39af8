import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { PUBLISHING_STATUSES } from '../../domain/publishing.ts'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { exact, sentText } from '../../http/route/fields.ts'
import { statusQuery } from '../../http/route/list.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { newRef } from '../ids.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { shownRecord } from '../own-record.ts'
import { publishingRoutes } from '../publishing-routes.ts'
import { readingRoutes } from '../reading-routes.ts'
import { tags } from '../tags.ts'
import { publishSchema } from './publish.ts'
import { schemaSchema, schemaView } from './record.ts'
import { SCHEMA_NAME, SCHEMA_VERSION, schema, type SchemaRecord } from './rules.ts'

const PATH = '/v1/schemas'
const NAME_CHARACTERS_MAX = 100
const VERSION_CHARACTERS_MAX = 29
const refusals = ['invalid_request', 'not_found', 'already_published', 'ledger_ceiling_reached'] as const

const order = exact({
  name: Type.String({
    minLength: 1,
    maxLength: NAME_CHARACTERS_MAX,
    pattern: SCHEMA_NAME.source,
    description: 'Letters, digits, space, point, hyphen, underscore.',
    examples: ['person'],
  }),
  version: Type.String({
    minLength: 3,
    maxLength: VERSION_CHARACTERS_MAX,
    pattern: SCHEMA_VERSION.source,
    description: 'Two or three numbers with points between them; a change is a new version.',
    examples: ['1.0'],
  }),
  attributes: Type.Array(
    sentText(
      limits.attributeNameCharactersMax,
      'The name of a field, for everybody to read: nothing of a person.',
      'birthdate',
    ),
    {
      minItems: 1,
      maxItems: limits.attributesMax,
      uniqueItems: true,
      description: 'The names of its attributes; `expiresAt` is one of them.',
      examples: [['name', 'birthdate', 'expiresAt']],
    },
  ),
})

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'directory' | 'namespace'>

export const schemaRoutes = (ports: Ports): readonly Route[] => {
  const show = (id: string, record: SchemaRecord) => schemaView(ports.namespace, id, record)
  const reading = readingRoutes(ports, {
    path: PATH,
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
    view: shownRecord(ports, schema, show),
  })
  return [
    reading.show,
    reading.list,
    defineRoute({
      method: 'POST',
      path: PATH,
      operationId: 'publishSchema',
      summary: 'Publishes a schema',
      description:
        'Answers at once, and goes to the ledger by itself: `status` says how far it is. The same name, version and attributes again are the same schema. It counts as one of the writes of the day.',
      tag: tags.catalogue,
      access: { callers: ['member'] },
      body: order,
      responses: { 202: schemaSchema },
      errors: refusals,
      idempotency: {
        // What names the schema is in the request, so another attempt finds what an earlier one has made.
        newRecordId: () => newRef(schema, ports.runtime),
        showRecord: () => null,
        storedFields: Object.keys(schemaSchema.properties),
      },
      handle: async ({ caller: { tenantId: tenant }, body }) => {
        const made = await publishSchema(ports, { tenant, ...body })
        return isRefused(made) ? refusal(refusals, made) : reply(202, show(made.id, made.schema))
      },
    }),
    ...publishingRoutes(ports, {
      path: PATH,
      tag: tags.catalogue,
      name: 'Schema',
      noun: 'schema',
      references: schema,
      record: schemaSchema,
      show,
      notPublished: 'schema_not_published',
      deprecation:
        'No credential definition is made for it any more; those that there are go on until they are deprecated themselves.',
    }),
  ]
}
