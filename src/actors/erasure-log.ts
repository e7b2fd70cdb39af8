import { type Static, Type } from 'typebox'
import type { KindTypes } from '../domain/decider.ts'
import { chain, type Eventually } from '../domain/eventually.ts'
import { OPERATORS } from '../domain/operators.ts'
import type { References } from '../domain/references.ts'
import { TENANT_CALLERS } from '../http/callers/caller.ts'
import { isoTime, recordOf, words } from '../http/route/fields.ts'
import { listPage, pageOf, pageQuery, pageReply, stateQuery } from '../http/route/list.ts'
import { problem } from '../http/route/problem.ts'
import { defineRoute, type Route } from '../http/route/route.ts'
import type { DirectoryRow } from '../ports/directory.ts'
import { withinBy } from '../timing/within.ts'
import type { Kind } from './define-kind.ts'
import {
  ERASURES,
  type Erased,
  erasedAtText,
  erasedRecordOf,
  initiatorText,
  recordIdText,
  recordTypeText,
} from './erased-records.ts'
import type { ApiPorts } from './kind-ports.ts'
import { ownRecord } from './own-record.ts'
import { tags } from './tags.ts'

const entrySchema = recordOf('Erasure', {
  id: words('Names the entry.', 'era_cre_5f8d2k4m6p7q9r1s3t5v0w2y'),
  recordType: recordTypeText,
  recordId: recordIdText,
  initiator: initiatorText,
  erasedAt: erasedAtText,
})

const { state: _, externalId: __, ...paging } = stateQuery
const query = {
  ...paging,
  recordType: Type.Optional(recordTypeText),
  initiator: Type.Optional(initiatorText),
}

type Ports = Pick<ApiPorts, 'actors' | 'directory'>
type ErasedTypes = KindTypes & { readonly views: { readonly record: Erased } }
type Entry = Static<typeof entrySchema>

/** What was erased on request, whatever kind of record it was. */
export const erasureLogRoute = (ports: Ports, kinds: readonly Kind[]): Route => {
  const show = (tenant: string, id: string): Eventually<Entry | null> => {
    const recordId = erasedRecordOf(id)
    const kind = kinds.find(({ references }) => references.find(recordId) !== null)
    if (kind === undefined) return null
    // Only records that can be erased have rows in this list.
    const references = kind.references as unknown as References<ErasedTypes>
    return chain(ownRecord(ports, references, tenant, recordId), (record) => {
      if (record === null || record.erasedAtMs === null) return null
      const recordType = kind.list as Entry['recordType']
      const initiator = record.erasedBy as Entry['initiator']
      return { id, recordType, recordId, initiator, erasedAt: isoTime(record.erasedAtMs) }
    })
  }
  return defineRoute({
    method: 'GET',
    path: '/v1/erasures',
    operationId: 'listErasures',
    summary: 'Lists what was erased on request, newest first',
    description:
      'One entry for each erased record. What ended with its retention period was not erased on request and has none. `q` looks in the id of the record; `from` and `to` are about the time of the erasure.',
    tag: tags.dataProtection,
    access: { callers: TENANT_CALLERS },
    query: Type.Object(query),
    responses: { 200: pageOf(entrySchema) },
    errors: ['invalid_request'],
    handle: async ({ caller: { tenantId: tenant }, query: asked, head }) => {
      const list = { tenant, kind: ERASURES }
      return pageReply(head, await listPage(ports.directory, list, asked, (id) => show(tenant, id)))
    },
  })
}

const organisationSchema = recordOf('ExportedOrganisation', {
  id: words('Names the organisation.', 'ten_5c0k3m7p9r1t3v5x7z9b1d3f'),
})

/**
 * The same for the export that outlives a restore, and which organisations there are: on the private port alone, where it
 * leaves no line in the audit log of the organisation each time. It is read from the rows, so that a record which cannot be
 * read holds up no export; and from complete ones alone, so that none replaces an export that has more.
 */
export const localErasureLogRoutes = (
  { directory, runtime }: Pick<ApiPorts, 'directory' | 'runtime'>,
  listsCaughtUp: () => Promise<void>,
): readonly Route[] => {
  const areComplete = (): Promise<boolean> =>
    withinBy(
      runtime,
      COMPLETE_WITHIN_MS,
      listsCaughtUp().then(() => true),
      () => false,
    )
  return [
    defineRoute({
      method: 'GET',
      path: '/local/tenants',
      operationId: 'exportTenants',
      summary: 'Lists organisations, whatever their state',
      access: { callers: ['operator'] },
      query: Type.Object(pageQuery),
      responses: { 200: pageOf(organisationSchema) },
      errors: ['invalid_request', 'unavailable'],
      handle: async ({ query: asked, head }) => {
        if (!(await areComplete())) return problem('unavailable', INCOMPLETE)
        const list = { tenant: OPERATORS, kind: 'tenant' }
        return pageReply(head, await listPage(directory, list, asked, (id) => ({ id })))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/local/tenants/{id}/erasures',
      operationId: 'exportErasures',
      summary: 'Lists what was erased on request in an organisation',
      access: { callers: ['operator'] },
      query: Type.Object(query),
      responses: { 200: pageOf(entrySchema) },
      errors: ['invalid_request', 'unavailable'],
      handle: async ({ params: { id: tenant }, query: asked, head }) => {
        if (!(await areComplete())) return problem('unavailable', INCOMPLETE)
        const list = { tenant, kind: ERASURES }
        return pageReply(head, await listPage(directory, list, asked, (_id, row) => entryOf(row)))
      },
    }),
  ]
}

/** Longer only where lists are made again from the journal. */
const COMPLETE_WITHIN_MS = 20_000
const INCOMPLETE = 'The lists are being rebuilt, so the log of erasures is not complete now: try again later.'

const entryOf = ({ id, filters, createdAtMs }: DirectoryRow): Entry => ({
  id,
  recordType: filters['recordType'] as Entry['recordType'],
  recordId: erasedRecordOf(id),
  initiator: filters['initiator'] as Entry['initiator'],
  erasedAt: isoTime(createdAtMs),
})
