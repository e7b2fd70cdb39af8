import { type Static, Type } from 'typebox'
import { qualifiedDefinitionId } from '../../domain/ledger-names.ts'
import { choice, isoTime, momentOrNull, recordOf, words, wordsOrNull } from '../../http/route/fields.ts'
import { failure, publishing } from '../schema/record.ts'
import type { DefinitionRecord } from './rules.ts'

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
  { schema, tag, status, ledgerId, lastError }: DefinitionRecord,
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

export const keyGenerationSchema = recordOf('KeyGeneration', {
  credentialDefinitionId: words('The definition, by its catalogue id.', 'def_c20a4b6d8f1e3c5a7b9d0f2e4c'),
  state: choice(
    ['waiting', 'running', 'made', 'failed'],
    'Whether others have their turn, its keys are being made, are made, or could not be made.',
    'running',
  ),
  beganAt: momentOrNull('When they were begun last, while they are being made.'),
  runningSeconds: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'For how long they have been made, while they are.',
    examples: [4],
  }),
})

export const keyGenerationView = (
  credentialDefinitionId: string,
  { status, keys, keysBegunAtMs }: DefinitionRecord,
  nowMs: number,
): Static<typeof keyGenerationSchema> => {
  const state = keys !== null ? 'made' : status === 'failed' ? 'failed' : null
  const beganAtMs = state === null ? (keysBegunAtMs ?? null) : null
  return {
    credentialDefinitionId,
    state: state ?? (beganAtMs === null ? 'waiting' : 'running'),
    beganAt: beganAtMs === null ? null : isoTime(beganAtMs),
    runningSeconds: beganAtMs === null ? null : Math.max(0, Math.floor((nowMs - beganAtMs) / 1_000)),
  }
}
