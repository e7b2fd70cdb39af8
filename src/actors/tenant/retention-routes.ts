import { Type, type Static } from 'typebox'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { exact, isoTime, momentOrNull, recordOf } from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { tags } from '../tags.ts'
import { setRetention } from './commands.ts'
import { readTenant } from './read.ts'
import type { TenantRecord } from './rules.ts'

const refusals = ['not_found'] as const
const PATH = '/v1/data-retention'
const days = Type.Integer({
  minimum: 0,
  maximum: limits.retentionDaysMax,
  description: 'Days after the end of an exchange; 0 keeps its personal data until it is erased.',
  examples: [limits.retentionDaysDefault],
})
const schema = recordOf('DataRetention', {
  retentionDays: days,
  default: Type.Integer({
    description: 'What holds until it is set.',
    examples: [limits.retentionDaysDefault],
  }),
  changedAt: momentOrNull('When it was set last.'),
})
const view = ({ retentionDays, retentionChangedAtMs }: TenantRecord): Static<typeof schema> => ({
  retentionDays,
  default: limits.retentionDaysDefault,
  changedAt: retentionChangedAtMs === null ? null : isoTime(retentionChangedAtMs),
})
const answer = (found: TenantRecord | Refused) =>
  isRefused(found) ? refusal(refusals, found) : reply(200, view(found))

export const dataRetentionRoutes = (ports: Pick<ApiPorts, 'actors' | 'runtime'>): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getDataRetention',
    summary: 'Says how long personal data of finished exchanges is kept',
    description:
      'Personal data of exchanges that are done, declined or abandoned is erased after so many days; running exchanges are never touched.',
    tag: tags.dataProtection,
    access: { callers: TENANT_CALLERS },
    responses: { 200: schema },
    errors: refusals,
    handle: async ({ caller }) => answer(await readTenant(ports, caller.tenantId)),
  }),
  defineRoute({
    method: 'PUT',
    path: PATH,
    operationId: 'setDataRetention',
    summary: 'Sets how long personal data of finished exchanges is kept; 0 keeps it until it is erased',
    tag: tags.dataProtection,
    access: { callers: ['member'] },
    body: exact({ retentionDays: days }),
    responses: { 200: schema },
    errors: refusals,
    handle: async ({ caller, body }) =>
      answer(await setRetention(ports, caller.tenantId, body.retentionDays)),
  }),
]
