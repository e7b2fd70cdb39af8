import { type Static, Type } from 'typebox'
import type { PublicDefinition } from '../../domain/catalogue/credential-definition.ts'
import { qualifiedDefinitionId, qualifiedSchemaId } from '../../domain/catalogue/ledger-names.ts'
import type { SchemaRecord } from '../../domain/catalogue/schema.ts'
import { exact, textOrNull } from './fields.ts'

export const schemaSchema = exact({
  id: Type.String(),
  name: Type.String(),
  version: Type.String(),
  attributes: Type.Union([Type.Array(Type.String()), Type.Null()]),
  status: Type.String(),
  schemaId: textOrNull,
  qualifiedId: textOrNull,
  lastError: textOrNull,
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

export const definitionSchema = exact({
  id: Type.String(),
  schemaId: textOrNull,
  schemaName: Type.String(),
  schemaVersion: Type.String(),
  tag: Type.String(),
  status: Type.String(),
  credentialDefinitionId: textOrNull,
  qualifiedId: textOrNull,
  lastError: textOrNull,
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
