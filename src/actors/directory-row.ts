import { AUDIT_ENTRY } from './audit-entry/kind.ts'
import type { DirectoryRow } from '../ports/directory.ts'
import type { ConnectionRecord } from './connection/state.ts'
import type { CredentialRecord } from './credential/state.ts'
import type { ProofRecord } from './proof/state.ts'
import { kindOf } from '../domain/shards.ts'
import { kinds } from './index.ts'
import { KindTables } from './tables.ts'
import { auditRowOf } from './audit-entry/record-entry.ts'
import { type ReadableKind, readRecord } from './read-record.ts'
import type { UseCasePorts } from './command-ports.ts'

type Found = Pick<DirectoryRow, 'kind' | 'filters' | 'externalId' | 'searchText'>

type Shapes = {
  con: ConnectionRecord
  cre: CredentialRecord
  pro: ProofRecord
}

const found: { readonly [Kind in ReadableKind]: (record: Shapes[Kind]) => Found } = {
  con: ({ invitationId, externalId, theirLabel }) => ({
    kind: 'connection',
    filters: { invitationId },
    externalId,
    searchText: lines(externalId, theirLabel),
  }),
  cre: ({ connectionId, externalId }) => ({
    kind: 'credential',
    filters: { connectionId },
    externalId,
    searchText: lines(externalId),
  }),
  pro: (record) => ({
    kind: 'proof',
    filters: {
      connectionId: record.connectionId,
      proofTemplateId: record.proofTemplateId,
      verified: record.status === 'done' ? String(record.verified) : null,
    },
    externalId: record.externalId,
    searchText: lines(record.externalId),
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
