import { Type, type Static } from 'typebox'
import { limits } from '../../domain/limits.ts'
import { isRefused } from '../../domain/decider.ts'
import {
  exact,
  isoTime,
  momentOrNull,
  organisationId,
  recordOf,
  wordsOrNull,
} from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { signedInAs } from '../account/outcomes.ts'
import { openReason } from '../audit-entry/commands.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { tags } from '../tags.ts'
import { readTenant } from '../tenant/read.ts'
import { actingNow, beginActing, endActing } from './act-for.ts'
import type { ActingPeriod } from './rules.ts'

const PATH = '/v1/operator/acting'
const refusals = ['not_found'] as const

const order = exact({
  organisation: organisationId,
  reason: Type.String({
    minLength: 1,
    maxLength: limits.actingReasonCharactersMax,
    description: 'Why; the organisation reads it.',
    examples: ['Ticket 4711: offers end as abandoned'],
  }),
  mayChange: Type.Optional(
    Type.Boolean({ description: 'To change as well; without it only to look.', examples: [false] }),
  ),
})

const actingSchema = recordOf('Acting', {
  organisation: wordsOrNull(
    'The organisation; null when the session acts for none.',
    'ten_5c0k3m7p9r1t3v5x7z9b1d3f',
  ),
  reason: wordsOrNull('Why.', 'Ticket 4711: offers end as abandoned'),
  mayChange: Type.Boolean({ description: 'Whether something may be changed.' }),
  startedAt: momentOrNull('When it began.'),
  endsAt: momentOrNull('When it ends by itself.'),
})

const NONE = { organisation: null, reason: null, mayChange: false, startedAt: null, endsAt: null }

const view = (period: ActingPeriod, reason: string | null): Static<typeof actingSchema> => ({
  organisation: period.organisation,
  reason,
  mayChange: period.mayChange,
  startedAt: isoTime(period.startedAtMs),
  endsAt: isoTime(period.endsAtMs),
})

/** An operator acts for an organisation, which can read in its audit log what was done. */
export const actingRoutes = (ports: Pick<ApiPorts, 'actors' | 'runtime' | 'vault'>): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getActing',
    summary: 'Shows for which organisation this session acts',
    tag: tags.operators,
    access: { callers: ['operator'], isOwnAccount: true },
    responses: { 200: actingSchema },
    errors: [],
    handle: async ({ caller }) => {
      const period = await actingNow(ports, signedInAs(caller).sessionId)
      if (period === null) return reply(200, NONE)
      return reply(200, view(period, await openReason(ports, period.organisation, period.sealedReason)))
    },
  }),
  defineRoute({
    method: 'POST',
    path: PATH,
    operationId: 'beginActing',
    summary: 'Begins to act for an organisation, for a reason that the organisation reads',
    description:
      "Until it ends, this session calls the organisation's routes as its members do: to look, or with `mayChange` to change as well. The organisation reads in its audit log who began when and why, each request, and the end. No secret is shown: what asks for a step-up, and tokens of wallets, are refused. So is whatever changes the organisation's members, their roles, invitations or sessions. It ends after 60 minutes, with the session, or by `DELETE`. Beginning again ends what was before.",
    tag: tags.operators,
    access: { callers: ['operator'], isOwnAccount: true, needsStepUp: true },
    idempotency: 'ignored',
    audit: {
      organisation: async ({ body }) => {
        const { organisation } = body as Static<typeof order>
        return isRefused(await readTenant(ports, organisation)) ? null : organisation
      },
      reason: ({ body }) => (body as Static<typeof order>).reason,
    },
    body: order,
    responses: { 201: actingSchema },
    errors: refusals,
    handle: async ({ caller, body: { organisation, reason, mayChange = false } }) => {
      const begun = await beginActing(ports, signedInAs(caller), { organisation, reason, mayChange })
      return isRefused(begun) ? refusal(refusals, begun) : reply(201, view(begun, reason))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: PATH,
    operationId: 'endActing',
    summary: 'Stops acting for the organisation',
    tag: tags.operators,
    access: { callers: ['operator'], isOwnAccount: true },
    responses: { 200: actingSchema },
    errors: [],
    handle: async ({ caller }) => {
      await endActing(ports, signedInAs(caller).sessionId)
      return reply(200, NONE)
    },
  }),
]
