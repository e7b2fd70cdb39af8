import { AUDIT_ENTRY } from '../actors/accounts/audit-entry.ts'
import { API_KEY } from '../actors/tenants/api-key.ts'
import { TENANT } from '../actors/tenants/tenant.ts'
import type { DirectoryRow } from '../actors/directory-port.ts'
import type { PublicDefinition } from '../domain/catalogue/credential-definition.ts'
import type { TemplateRecord } from '../domain/catalogue/proof-template.ts'
import type { SchemaRecord } from '../domain/catalogue/schema.ts'
import type { ConnectionRecord } from '../domain/exchanges/connection-types.ts'
import type { CredentialRecord } from '../domain/exchanges/credential-types.ts'
import type { ProofRecord } from '../domain/exchanges/proof-types.ts'
import type { WalletRecord } from '../domain/tenants/wallet.ts'
import { kindOf } from '../domain/shards.ts'
import { auditRowOf } from './accounts/audit.ts'
import { apiKeyRowOf, tenantRowOf } from './operator-rows.ts'
import { type ReadableKind, readRecord } from './read-record.ts'
import type { UseCasePorts } from './use-case-ports.ts'

type Found = Pick<DirectoryRow, 'kind' | 'filters' | 'externalId' | 'searchText'>

type Shapes = {
  con: ConnectionRecord
  cre: CredentialRecord
  pro: ProofRecord
  sch: SchemaRecord
  def: PublicDefinition
  tpl: TemplateRecord
  wal: WalletRecord
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
