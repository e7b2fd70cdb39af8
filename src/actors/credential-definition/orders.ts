import { Type } from 'typebox'
import { type DefinitionRecord, definitions } from './rules.ts'
import { type SchemaRecord, schemas } from '../schema/rules.ts'
import { isRefused, refuse } from '../../domain/refused.ts'
import { exact } from '../../http/route/fields.ts'
import { createProofTemplate } from '../proof-template/commands.ts'
import { publishSchema } from '../schema/publish.ts'
import { publishDefinition } from './publish.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { command, type Commands, text } from '../../compose/command.ts'

/** Schemas, credential definitions and proof templates of an organisation, as the operator orders them. */
export const catalogueCommands = (ports: Pick<ApiPorts, 'actors' | 'runtime' | 'catalogue'>): Commands => ({
  'schema publish': command(
    exact({ tenant: text, name: text, version: text, attributes: Type.Array(text, { maxItems: 125 }) }),
    async (order) => {
      const made = await publishSchema(ports, order)
      return isRefused(made) ? made : schemaShown(made.id, made.schema)
    },
  ),
  'schema show': command(exact({ id: text }), async ({ id }) => {
    const ref = schemas.find(id)
    const schema = ref === null ? null : await ports.actors.read(ref)
    if (schema === null || isRefused(schema)) return refuse('not_found', 'There is no such schema.')
    return schemaShown(id, schema)
  }),
  'definition publish': command(exact({ tenant: text, schemaId: text, tag: text }), async (order) => {
    const made = await publishDefinition(ports, order)
    return isRefused(made) ? made : definitionShown(made.id, made.definition)
  }),
  'definition show': command(exact({ id: text }), async ({ id }) => {
    const ref = definitions.find(id)
    const found = ref === null ? null : await ports.actors.read(ref)
    if (found === null || isRefused(found)) return refuse('not_found', 'There is no such definition.')
    return definitionShown(id, found)
  }),
  'template create': command(templateInput, async (content) => {
    const made = await createProofTemplate(ports, content)
    return isRefused(made) ? made : { id: made.id }
  }),
})

const templateInput = exact({
  tenant: text,
  name: text,
  description: Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()]),
  groups: Type.Array(
    exact({ name: text, credentialDefinitionIds: Type.Array(text), attributes: Type.Array(text) }),
  ),
  predicates: Type.Array(
    exact({
      group: text,
      attribute: text,
      operator: Type.Union([Type.Literal('>='), Type.Literal('>'), Type.Literal('<='), Type.Literal('<')]),
      value: Type.Union([
        Type.Integer(),
        exact({ yearsAgo: Type.Integer() }),
        exact({ secondsFromNow: Type.Integer() }),
      ]),
    }),
  ),
})

const schemaShown = (id: string, { name, version, status, ledgerId, lastError }: SchemaRecord): object => ({
  id,
  name,
  version,
  status,
  ledgerId,
  lastError,
})

const definitionShown = (
  id: string,
  { tag, status, keys, ledgerId, lastError }: DefinitionRecord,
): object => ({
  id,
  tag,
  status,
  keysMade: keys !== null,
  ledgerId,
  lastError,
})
