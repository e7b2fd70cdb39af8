import { isRefused } from '../../domain/decider.ts'
import { exact } from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { tags } from '../tags.ts'
import { readTenant } from '../tenant/read.ts'
import { tenant } from '../tenant/rules.ts'
import type { AccountPorts } from './ask-account.ts'
import { inviteFirstAdministrator } from './first-administrator.ts'
import { invitationAgain, invitedAddress, memberWithLink, withLink } from './invitation-answer.ts'

const refusals = [
  'invalid_request',
  'not_found',
  'already_member',
  'has_administrator',
  'members_too_many',
] as const

/** The one way by which an operator lets somebody into an organisation. */
export const firstAdministratorRoute = (ports: AccountPorts): Route =>
  defineRoute({
    method: 'POST',
    path: '/v1/operator/tenants/{id}/administrators',
    operationId: 'inviteFirstAdministrator',
    summary: 'Invites the first administrator of an organisation; the link is shown this once',
    description:
      'As long as no administrator of the organisation has signed up: an address may be invited again, which makes a new link and ends the old one, and another one beside it. From then on its administrators invite others (`POST /v1/members`), and the answer is `has_administrator`; links that are out stay good until they run out or an administrator removes whom they are for. The line about it stands in the audit log of the organisation.',
    tag: tags.operators,
    access: { callers: ['operator'], needsStepUp: true },
    idempotency: invitationAgain(ports, ({ params: { id = '' } }) => tenant.find(id)),
    audit: {
      organisation: async ({ params: { id = '' } }) => (isRefused(await readTenant(ports, id)) ? null : id),
      // The line names the invited account, so that the organisation sees whom an operator let in.
      isToAnswered: true,
    },
    body: exact({ emailAddress: invitedAddress }),
    responses: { 201: memberWithLink },
    errors: refusals,
    handle: async ({ params: { id }, body: { emailAddress }, recordId }) => {
      const made = await inviteFirstAdministrator(ports, id, emailAddress, recordId)
      return isRefused(made) ? refusal(refusals, made) : reply(201, withLink(made))
    },
  })
