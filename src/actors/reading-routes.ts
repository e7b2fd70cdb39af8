import { type Static, type TSchema, Type } from 'typebox'
import { chain, type Eventually } from '../domain/eventually.ts'
import { OPERATORS } from '../domain/operators.ts'
import type { TENANT_CALLERS } from '../http/callers/caller.ts'
import type { Tag } from '../http/openapi/tags.ts'
import { listPage, pageOf, pageReply } from '../http/route/list.ts'
import { problem } from '../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../http/route/route.ts'
import type { ApiPorts } from './kind-ports.ts'

/** As on any route. */
type Described = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly linkedBy?: string
}

export type Reading<Record extends TSchema> = {
  /** Of the list; a record stands below it. */
  readonly path: string
  readonly tag: Tag
  /** Operators see the records of all organisations. */
  readonly callers: typeof TENANT_CALLERS | readonly ['operator']
  /** As the kind names its list (`listed`). */
  readonly kind: string
  /** What there is none of under an unknown id. */
  readonly noun: string
  readonly list: Described
  readonly show: Described
  readonly query: Readonly<{ [field: string]: TSchema }>
  readonly record: Record
  /** Null where there is none, or none of this organisation's. */
  readonly view: (tenant: string, id: string) => Eventually<Static<Record> | null>
}

/** The two routes that read a kind of record: its list, and one record by its id. */
export const readingRoutes = <Record extends TSchema>(
  { directory }: Pick<ApiPorts, 'directory'>,
  { path, tag, callers, kind, noun, view, ...reading }: Reading<Record>,
): { readonly list: Route; readonly show: Route } => {
  const record: TSchema = reading.record
  const access = { callers }
  return {
    list: defineRoute({
      ...reading.list,
      method: 'GET',
      path,
      tag,
      access,
      query: Type.Object(reading.query),
      responses: { 200: pageOf(record) },
      errors: ['invalid_request'],
      handle: async ({ caller, query, head }) => {
        const tenant = caller.kind === 'operator' ? OPERATORS : caller.tenantId
        return pageReply(head, await listPage(directory, { tenant, kind }, query, (id) => view(tenant, id)))
      },
    }),
    show: defineRoute({
      ...reading.show,
      method: 'GET',
      path: `${path}/{id}` as const,
      tag,
      access,
      responses: { 200: record },
      errors: ['not_found'],
      handle: ({ caller, params: { id } }) =>
        chain(view(caller.kind === 'operator' ? OPERATORS : caller.tenantId, id), (shown) =>
          shown === null ? problem('not_found', `There is no ${noun} with this id.`) : reply(200, shown),
        ),
    }),
  }
}
