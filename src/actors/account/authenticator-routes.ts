import { isRefused } from '../../domain/decider.ts'
import { exact, isoTime, moment } from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { tags } from '../tags.ts'
import type { AccountPorts } from './ask-account.ts'
import { exchangeAuthenticator, offerAuthenticator } from './authenticator.ts'
import { signedInAs } from './outcomes.ts'
import { sessionSchema, sessionView } from './record.ts'
import { authenticatorCode, totpFields } from './sent-fields.ts'

const own = { callers: ['member', 'operator'], isOwnAccount: true } as const
const PATH = '/v1/account/authenticator'
const over = ['unauthorized'] as const
const refusals = ['not_found', 'forbidden', ...over] as const

/** Another authenticator in place of the one that there is, as for a new phone. */
export const authenticatorRoutes = (ports: AccountPorts): readonly Route[] => [
  defineRoute({
    access: { ...own, needsStepUp: true },
    method: 'POST',
    path: PATH,
    operationId: 'beginAuthenticator',
    summary: 'Gives the seed for another authenticator; its first code makes it the one of the account',
    description:
      'Until then the authenticator that there is stays. The seed is shown in this answer alone, and waits ten minutes for its first code, in this session; asking again makes another.',
    tag: tags.ownAccount,
    idempotency: 'ignored',
    responses: {
      201: exact({ ...totpFields, expiresAt: moment('Until when the first code may come.') }),
    },
    errors: over,
    handle: async ({ caller }) => {
      const offered = await offerAuthenticator(ports, signedInAs(caller))
      if (isRefused(offered)) return refusal(over, offered)
      const { expiresAtMs, ...shown } = offered
      return reply(201, { ...shown, expiresAt: isoTime(expiresAtMs) })
    },
  }),
  defineRoute({
    // The seed was shown to this session alone, after a fresh second factor.
    access: own,
    method: 'POST',
    path: `${PATH}/confirm`,
    operationId: 'confirmAuthenticator',
    summary: 'Makes the new authenticator the one of the account; every other session ends',
    description:
      'The old authenticator is good for nothing from then on; passkeys and recovery codes stay. It counts as a second factor that was shown in this session.',
    tag: tags.ownAccount,
    idempotency: 'ignored',
    body: exact({ code: authenticatorCode('Six digits of the new authenticator.') }),
    responses: { 200: sessionSchema },
    errors: refusals,
    handle: async ({ caller, body }) => {
      const who = signedInAs(caller)
      const exchanged = await exchangeAuthenticator(ports, who, body.code)
      if (isRefused(exchanged)) return refusal(refusals, exchanged)
      return reply(200, sessionView(exchanged, who.sessionId))
    },
  }),
]
