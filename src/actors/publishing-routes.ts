import type { Static, TObject } from 'typebox'
import { isRefused, type Refused } from '../domain/decider.ts'
import type { NotPublished } from '../domain/publishing.ts'
import type { Tag } from '../http/openapi/tags.ts'
import { problem, refusal } from '../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../http/route/route.ts'
import { newRef } from './ids.ts'
import type { ApiPorts } from './kind-ports.ts'
import { shownRecord } from './own-record.ts'
import { deprecate, type PublishedReferences, type PublishedTypes, retryPublishing } from './publishing.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime'>

type Deprecating = 'not_found' | NotPublished

type Published<Of extends PublishedTypes, Record extends TObject> = {
  /** The path of the list. */
  readonly path: string
  readonly tag: Tag
  /** The last word of the operations' names. */
  readonly name: string
  readonly noun: string
  readonly references: PublishedReferences<Of>
  readonly record: Record
  readonly show: (id: string, record: Of['reply']) => Static<Record>
  readonly notPublished: NotPublished
  /** What deprecating it does. */
  readonly deprecation: string
}

/** What may still be done with something that was ordered: another attempt where it failed, and its end. */
export const publishingRoutes = <Of extends PublishedTypes, Record extends TObject>(
  ports: Ports,
  { path, tag, name, noun, references, show, notPublished, ...of }: Published<Of, Record>,
): readonly Route[] => {
  const record: TObject = of.record
  const retrying = ['not_found', 'already_published', 'ledger_ceiling_reached'] as const
  const deprecating: readonly Deprecating[] = ['not_found', notPublished]
  const unknown = () => problem('not_found', `There is no ${noun} with this id.`)
  const common = { method: 'POST', tag, access: { callers: ['member'] } } as const
  const newRecordId = ({ params: { id = '' } }: WithId) =>
    references.find(id) ?? newRef(references, ports.runtime)
  /** What an attempt whose answer was lost has done is found again; what it has not done is done now. */
  const shownWhen = (isDone: (record: Of['reply']) => boolean) =>
    shownRecord<Of, Static<Record> | null>(ports, references, (id, now) =>
      isDone(now) ? show(id, now) : null,
    ) as never
  const shown = (id: string, found: Of['reply']) => reply(200, show(id, found) as never)
  return [
    defineRoute({
      ...common,
      path: `${path}/{id}/retry` as const,
      operationId: `retry${name}`,
      summary: `Tries to publish a ${noun} again that has failed`,
      description:
        'The ledger is read first, so that what has come there meanwhile is not written twice. It counts as a write of the day. What is under way stays as it is.',
      idempotency: {
        newRecordId,
        showRecord: shownWhen(({ status }) => status !== 'failed'),
        // It may have failed again by the time at which the same request comes again.
        storedFields: Object.keys(record.properties),
      },
      responses: { 200: record },
      errors: retrying,
      handle: async ({ caller: { tenantId: tenant }, params: { id } }) => {
        const found: Of['reply'] | Refused | null = await retryPublishing<Of>(ports, {
          tenant,
          references,
          id,
        })
        if (found === null) return unknown()
        return isRefused(found) ? refusal(retrying, found) : shown(id, found)
      },
    }),
    defineRoute({
      ...common,
      path: `${path}/{id}/deprecate` as const,
      operationId: `deprecate${name}`,
      summary: `Deprecates a ${noun}`,
      description: `${of.deprecation} It stays on the ledger, and cannot be called back. Deprecating it again changes nothing.`,
      idempotency: { newRecordId, showRecord: shownWhen(({ status }) => status === 'deprecated') },
      responses: { 200: record },
      errors: deprecating,
      handle: async ({ caller: { tenantId: tenant }, params: { id } }) => {
        const found: Of['reply'] | Refused | null = await deprecate<Of>(ports, { tenant, references, id })
        if (found === null) return unknown()
        return isRefused(found) ? refusal(deprecating, found) : shown(id, found)
      },
    }),
  ]
}

type WithId = { readonly params: { readonly id?: string } }
