import { isRefused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { isoTime, moment, recordOf, words } from '../../http/route/fields.ts'
import { problem, refusal, retryAfter } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { tags } from '../tags.ts'
import { type InvitePorts, inviteWallet, isInvitedTooOften, untilNextInvitationMs } from './invite.ts'

const refusals = ['forbidden', 'rate_limited'] as const

const invitationSchema = recordOf('MediatorInvitation', {
  invitationId: words('Names the invitation.', '4f8t2kq0x6m1v9z3c5r7w2y8h1'),
  invitationUrl: words(
    'An out-of-band invitation, which the wallet takes as it is.',
    'https://vouchsafe.example/i/4f8t2kq0x6m1v9z3c5r7w2y8h1?oob=eyJAdHlwZSI6Ii4uLiJ9',
  ),
  expiresAt: moment('Until when it can be answered.'),
})

export const mailboxRoutes = (ports: InvitePorts): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/wallet/mediator-invitation',
    operationId: 'getMediatorInvitation',
    summary: 'Invites the wallet of the token to the mediator',
    description: `For the app, once, when it is started first. Each call makes another invitation, which is good for one connection, for this wallet alone and for ${limits.mediatorInvitationMinutes} minutes; those before it that were not answered end with it. A wallet has ${limits.mediatorInvitationsMax} within ${limits.mediatorInvitationsWindowSeconds / 60} minutes.`,
    tag: tags.wallets,
    access: { callers: ['wallet_token'] },
    responses: { 200: invitationSchema },
    answer: { headers: ['Cache-Control'] },
    errors: refusals,
    handle: async ({ caller }) => {
      const { tenantId: tenant, walletId } = caller
      const invited = await inviteWallet(ports, { tenant, walletId })
      if (!isRefused(invited)) {
        const { expiresAtMs, ...named } = invited
        const shown = { ...named, expiresAt: isoTime(expiresAtMs) }
        return reply(200, shown, { 'Cache-Control': 'no-store' })
      }
      if (!isInvitedTooOften(invited)) return refusal(refusals, invited)
      return problem('rate_limited', invited.reason, retryAfter(await untilNextInvitationMs(ports, walletId)))
    },
  }),
]
