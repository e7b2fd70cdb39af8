import { type Static, Type } from 'typebox'
import type { PublicDefinition } from './rules.ts'
import { qualifiedDefinitionId, qualifiedSchemaId } from '../../domain/ledger-names.ts'
import type { SchemaRecord } from '../schema/rules.ts'
import { recordOf, words, wordsOrNull } from '../../http/route/fields.ts'

const publishing = words(
  'How far publishing is: pending, awaiting_endorsement, endorsed, published, deprecated or failed.',
  'published',
)
const failure = wordsOrNull('What went wrong when it was published last.', null)

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

export const definitionSchema = recordOf('CredentialDefinition', {
  id: words('Names the definition in the catalogue; offers take it.', 'def_c20a4b6d8f1e3c5a7b9d0f2e4c'),
  schemaId: wordsOrNull('The ledger id of its schema.', 'V4SGRU86Z58d6TV7PBUe6f:2:person:1.0'),
  schemaName: words('The name of its schema.', 'person'),
  schemaVersion: words('The version of its schema.', '1.0'),
  tag: words('Tells several definitions of one schema apart.', 'default'),
  status: publishing,
  credentialDefinitionId: wordsOrNull(
    'Its id on the ledger, once it is published; offers take it as well.',
    'V4SGRU86Z58d6TV7PBUe6f:3:CL:12:default',
  ),
  qualifiedId: wordsOrNull(
    'The same as a DID URL.',
    'did:indy:sandbox:V4SGRU86Z58d6TV7PBUe6f/anoncreds/v0/CLAIM_DEF/12/default',
  ),
  lastError: failure,
})

export const definitionView = (
  namespace: string,
  id: string,
  { schema, tag, status, ledgerId, lastError }: PublicDefinition,
): Static<typeof definitionSchema> => ({
  id,
  schemaId: schema.ledgerId,
  schemaName: schema.name,
  schemaVersion: schema.version,
  tag,
  status,
  credentialDefinitionId: ledgerId,
  qualifiedId: ledgerId === null ? null : qualifiedDefinitionId(namespace, ledgerId),
  lastError,
})
