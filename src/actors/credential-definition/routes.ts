import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { PUBLISHING_STATUSES } from '../../domain/publishing.ts'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { exact, idText } from '../../http/route/fields.ts'
import { statusQuery } from '../../http/route/list.ts'
import { problem, refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { newRef } from '../ids.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { ownRecord, shownRecord } from '../own-record.ts'
import { publishingRoutes } from '../publishing-routes.ts'
import { readingRoutes } from '../reading-routes.ts'
import { tags } from '../tags.ts'
import { publishDefinition } from './publish.ts'
import { definitionSchema, definitionView, keyGenerationSchema, keyGenerationView } from './record.ts'
import { credentialDefinition, type DefinitionRecord, TAG } from './rules.ts'

const PATH = '/v1/credential-definitions'
const NOUN = 'credential definition'
const TAG_CHARACTERS_MAX = 100
const refusals = ['invalid_request', 'not_found', 'schema_not_published', 'ledger_ceiling_reached'] as const

const order = exact({
  schemaId: idText('A published schema, by its catalogue id.', 'sch_7d1f3h5k7m9p1r3t5v7x9z1b'),
  tag: Type.String({
    minLength: 1,
    maxLength: TAG_CHARACTERS_MAX,
    pattern: TAG.source,
    description: 'Tells several definitions of one schema apart: letters, digits, point, hyphen, underscore.',
    examples: ['default'],
  }),
})

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'directory' | 'namespace'>

export const definitionRoutes = (ports: Ports): readonly Route[] => {
  const show = (id: string, record: DefinitionRecord) => definitionView(ports.namespace, id, record)
  const reading = readingRoutes(ports, {
    path: PATH,
    tag: tags.catalogue,
    callers: TENANT_CALLERS,
    kind: 'credential-definition',
    noun: NOUN,
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
    view: shownRecord(ports, credentialDefinition, show),
  })
  return [
    reading.show,
    reading.list,
    publishRoute(ports, show),
    keyGenerationRoute(ports),
    ...publishingRoutes(ports, {
      path: PATH,
      tag: tags.catalogue,
      name: 'CredentialDefinition',
      noun: NOUN,
      references: credentialDefinition,
      record: definitionSchema,
      show,
      notPublished: 'credential_definition_not_published',
      deprecation:
        'No credential is offered with it any more: a new offer is 409 `credential_definition_not_published`. Exchanges that run come to their end, and what was issued is verified as before.',
    }),
  ]
}

const publishRoute = (
  ports: Ports,
  show: (id: string, record: DefinitionRecord) => ReturnType<typeof definitionView>,
): Route =>
  defineRoute({
    method: 'POST',
    path: PATH,
    operationId: 'publishCredentialDefinition',
    summary: 'Makes keys for a schema and publishes the credential definition',
    description:
      'Answers at once. Its keys are made first, which takes seconds to minutes (`GET …/{id}/key-generation`); then it goes to the ledger by itself. The same schema and tag again are the same definition. It counts as one of the writes of the day.',
    tag: tags.catalogue,
    access: { callers: ['member'] },
    body: order,
    responses: { 202: definitionSchema },
    errors: refusals,
    idempotency: {
      // What names the definition is in the request, so another attempt finds what an earlier one has made.
      newRecordId: () => newRef(credentialDefinition, ports.runtime),
      showRecord: () => null,
      storedFields: Object.keys(definitionSchema.properties),
    },
    handle: async ({ caller: { tenantId: tenant }, body }) => {
      const made = await publishDefinition(ports, { tenant, ...body })
      return isRefused(made) ? refusal(refusals, made) : reply(202, show(made.id, made.definition))
    },
  })

const keyGenerationRoute = (ports: Ports): Route =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/{id}/key-generation`,
    operationId: 'getKeyGeneration',
    summary: 'Shows how far the keys of a credential definition are',
    description: `Keys are made one after the other, organisations in turn, and found by chance: most take some seconds, with ${limits.attributesMax} attributes some minutes.`,
    tag: tags.catalogue,
    access: { callers: TENANT_CALLERS },
    responses: { 200: keyGenerationSchema },
    errors: ['not_found'],
    handle: async ({ caller: { tenantId }, params: { id } }) => {
      const found = await ownRecord(ports, credentialDefinition, tenantId, id)
      return found === null
        ? problem('not_found', `There is no ${NOUN} with this id.`)
        : reply(200, keyGenerationView(id, found, ports.runtime.now()))
    },
  })
