import { type Static, Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { recordOf, words, wordsOrNull } from '../../http/route/fields.ts'
import { ActorFailed } from '../../ports/actors.ts'
import { lacksKey } from '../../ports/vault.ts'
import { credentialDefinition } from '../credential-definition/rules.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { schema } from '../schema/rules.ts'
import type { EndorsedRecord } from './rules.ts'

export const endorsedContentSchema = recordOf('EndorsedContent', {
  schemaName: words('The name of the schema, or of the schema that the definition is for.', 'person'),
  schemaVersion: words('Its version.', '1.0'),
  attributes: Type.Array(Type.String(), {
    description: 'The names of its attributes.',
    examples: [['name', 'birthdate', 'expiresAt']],
  }),
  tag: wordsOrNull('The tag of the definition; null for a schema.', null),
})

/**
 * What the ledger would show, as the record itself has it: nothing of it changes once it is ordered, so the endorsement
 * keeps no copy. Null where the record is gone, and where it cannot be read: one such record hides no other endorsement.
 */
export const contentOf = async (
  { actors }: Pick<ApiPorts, 'actors'>,
  { recordType, recordId }: Pick<EndorsedRecord, 'recordType' | 'recordId'>,
): Promise<Static<typeof endorsedContentSchema> | null> => {
  try {
    if (recordType === 'schema') {
      const found = await actors.read(schema.ref(recordId))
      return isRefused(found) ? null : contentOfSchema(found, null)
    }
    const found = await actors.read(credentialDefinition.ref(recordId))
    return isRefused(found) ? null : contentOfSchema(found.schema, found.tag)
  } catch (error) {
    if (error instanceof ActorFailed || lacksKey(error)) return null
    throw error
  }
}

type Named = { readonly name: string; readonly version: string; readonly attributes: readonly string[] }

const contentOfSchema = ({ name, version, attributes }: Named, tag: string | null) => ({
  schemaName: name,
  schemaVersion: version,
  attributes: [...attributes],
  tag,
})
