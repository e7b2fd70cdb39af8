import { type Static, Type } from 'typebox'
import { qualifiedSchemaId } from '../../domain/ledger-names.ts'
import { recordOf, words, wordsOrNull } from '../../http/route/fields.ts'
import type { SchemaRecord } from './rules.ts'

export const publishing = words(
  'How far publishing is: pending, awaiting_endorsement, endorsed, published, deprecated or failed.',
  'published',
)
export const failure = wordsOrNull('What went wrong when it was published last.', null)

export const schemaSchema = recordOf('Schema', {
  id: words('Names the schema in the catalogue.', 'sch_7d1f3h5k7m9p1r3t5v7x9z1b'),
  name: words('What the schema is called on the ledger.', 'person'),
  version: words('A published schema never changes; a change is a new version.', '1.0'),
  attributes: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'The names of its attributes.',
    examples: [['name', 'birthdate', 'expiresAt']],
  }),
  status: publishing,
  schemaId: wordsOrNull('Its id on the ledger, once it is published.', 'V4SGRU86Z58d6TV7PBUe6f:2:person:1.0'),
  qualifiedId: wordsOrNull(
    'The same as a DID URL.',
    'did:indy:sandbox:V4SGRU86Z58d6TV7PBUe6f/anoncreds/v0/SCHEMA/person/1.0',
  ),
  lastError: failure,
})

export const schemaView = (
  namespace: string,
  id: string,
  { name, version, attributes, status, ledgerId, lastError }: SchemaRecord,
): Static<typeof schemaSchema> => ({
  id,
  name,
  version,
  attributes: [...attributes],
  status,
  schemaId: ledgerId,
  qualifiedId:
    ledgerId === null ? null : qualifiedSchemaId(namespace, ledgerId.split(':')[0] ?? '', name, version),
  lastError,
})
