import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { isoTime, momentOrNull, recordOf } from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { readTenant } from './read.ts'
import type { TenantRecord } from './rules.ts'

const refusals = ['not_found'] as const
const schema = recordOf('Forgetting', {
  retentionDays: Type.Integer({ description: 'Days after the end of an exchange.', examples: [90] }),
  retentionChangedAt: momentOrNull('When they were set last.'),
  deletionOrderedAt: momentOrNull('When its deletion was ordered, where it has begun.'),
  deletionCalledBackAt: momentOrNull('When a deletion of it was called back last.'),
})

/** For the export that outlives a restore, which is about every organisation and no look at one of them. */
export const localExportRoutes = (ports: Pick<ApiPorts, 'actors'>): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/local/tenants/{id}/forgetting',
    operationId: 'exportForgetting',
    summary: 'Says what of an organisation is to be forgotten',
    access: { callers: ['operator'] },
    responses: { 200: schema },
    errors: refusals,
    handle: async ({ params: { id } }) => {
      const found = await readTenant(ports, id)
      return isRefused(found) ? refusal(refusals, found) : reply(200, view(found))
    },
  }),
]

const view = ({ status, deletion, rests, retentionDays, retentionChangedAtMs }: TenantRecord) => {
  const hasBegun = status === 'deleting' || status === 'deleted'
  return {
    retentionDays,
    retentionChangedAt: timeOrNull(retentionChangedAtMs),
    deletionOrderedAt: hasBegun ? timeOrNull(deletion?.orderedAtMs) : null,
    deletionCalledBackAt: timeOrNull(rests.at(-1)?.untilMs),
  }
}

const timeOrNull = (atMs: number | null | undefined): string | null =>
  atMs === null || atMs === undefined ? null : isoTime(atMs)
