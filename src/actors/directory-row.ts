import { AUDIT_ENTRY } from './audit-entry/kind.ts'
import { API_KEY } from './api-key/kind.ts'
import { TENANT } from './tenant/effects.ts'
import type { DirectoryRow } from '../ports/directory.ts'
import type { PublicDefinition } from './credential-definition/rules.ts'
import type { TemplateRecord } from './proof-template/rules.ts'
import type { SchemaRecord } from './schema/rules.ts'
import type { WalletRecord } from './wallet/rules.ts'
import { kindOf } from '../domain/shards.ts'
import { kinds } from './index.ts'
import { KindTables } from './tables.ts'
import { auditRowOf } from './audit-entry/record-entry.ts'
import { apiKeyRowOf, tenantRowOf } from './tenant/rows.ts'
import { type ReadableKind, readRecord } from './read-record.ts'
import type { UseCasePorts } from './command-ports.ts'

type Found = Pick<DirectoryRow, 'kind' | 'filters' | 'externalId' | 'searchText'>

type Shapes = {
  sch: SchemaRecord
  def: PublicDefinition
  tpl: TemplateRecord
  wal: WalletRecord
}

const found: { readonly [Kind in ReadableKind]: (record: Shapes[Kind]) => Found } = {
  sch: ({ name }) => ({ kind: 'schema', filters: {}, externalId: null, searchText: name }),
  def: ({ schema, tag }) => ({
    kind: 'credential-definition',
    filters: {},
    externalId: null,
    searchText: lines(schema.name, tag),
  }),
  tpl: ({ name }) => ({ kind: 'proof-template', filters: {}, externalId: null, searchText: name }),
  wal: ({ externalId, installationId }) => ({
    kind: 'wallet',
    filters: {},
    externalId,
    searchText: lines(externalId, installationId),
  }),
}

/** How lists find the actor as it is now; null for a kind that is in no list. */
export const directoryRowOf = async (
  ports: Pick<UseCasePorts, 'actors' | 'askTimeoutMs'>,
  id: string,
): Promise<DirectoryRow | null> => {
  const row = await new KindTables(kinds).rowOf(ports.actors, id)
  if (row !== null) return row
  const kind = kindOf(id)
  if (kind === AUDIT_ENTRY) return auditRowOf(ports, id)
  if (kind === TENANT) return tenantRowOf(ports, id)
  if (kind === API_KEY) return apiKeyRowOf(ports, id)
  if (!Object.hasOwn(found, kind)) return null
  const record = await readRecord<Shapes[ReadableKind]>(ports, null, kind as ReadableKind, id)
  if (record === null) return null
  const { tenant, createdAtMs, updatedAtMs, status } = record
  const describe = found[kind as ReadableKind] as (record: Shapes[ReadableKind]) => Found
  return { id, tenant, createdAtMs, updatedAtMs, state: status, ...describe(record) }
}

/** A line each, so that no search finds the end of one beside the start of the next. */
const lines = (...texts: readonly (string | null)[]): string =>
  texts.filter((text) => text !== null).join('\n')
