import { Type } from 'typebox'
import { limits } from '../domain/limits.ts'
import { exact, isoTime, moment, momentOrNull, recordOf, words } from '../http/route/fields.ts'
import { defineRoute, reply, type Route } from '../http/route/route.ts'
import type { Kind } from './define-kind.ts'
import type { ApiPorts } from './kind-ports.ts'
import { tags } from './tags.ts'

const DAY_MS = 86_400_000

const retentionDays = Type.Integer({
  minimum: 0,
  maximum: limits.retentionDaysMax,
  description: 'The period to be looked at, in days; 0 keeps personal data until it is erased.',
  examples: [30],
})
const schema = recordOf('DataRetentionPreview', {
  retentionDays,
  finishedBefore: momentOrNull('What finished before this time would go; null where nothing would.'),
  records: Type.Array(
    exact({
      recordType: words('What the records are.', 'credential'),
      records: Type.Integer({ minimum: 1, description: 'How many of them.', examples: [1_042] }),
      firstFinishedAt: moment('When the first of them finished.'),
    }),
    { description: 'What would be gone within a day; kinds of which nothing would are left out.' },
  ),
})

/** Asked before a period is set, because what it clears is gone for good. */
export const retentionPreviewRoute = (
  { overviews, runtime }: Pick<ApiPorts, 'overviews' | 'runtime'>,
  kinds: readonly Kind[],
): Route => {
  const typeOf = new Map(kinds.map(({ list, overview }) => [list, overview?.recordType]))
  return defineRoute({
    method: 'GET',
    path: '/v1/data-retention/preview',
    operationId: 'previewDataRetention',
    summary: 'Says what a retention period would clear, before it is set',
    description:
      'Of credentials and proofs their personal data would be erased, and what their webhooks said; of connections only what their webhooks said. What is due under the period that is set now is among it until it is swept, which is within a day. While the organisation is suspended nothing is cleared.',
    tag: tags.dataProtection,
    access: { callers: ['member'] },
    query: Type.Object({ retentionDays }),
    responses: { 200: schema },
    errors: ['invalid_request'],
    handle: async ({ caller: { tenantId: tenant }, query: { retentionDays: days } }) => {
      if (days === 0) return reply(200, { retentionDays: days, finishedBefore: null, records: [] })
      const beforeMs = Math.floor(runtime.now() - days * DAY_MS)
      const due = await overviews.due({ tenant, beforeMs })
      return reply(200, {
        retentionDays: days,
        finishedBefore: isoTime(Math.max(0, beforeMs)),
        records: due.map(({ kind, records, firstFinishedMs }) => ({
          recordType: typeOf.get(kind) ?? kind,
          records,
          firstFinishedAt: isoTime(firstFinishedMs),
        })),
      })
    },
  })
}
