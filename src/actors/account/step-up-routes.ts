import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { exact } from '../../http/route/fields.ts'
import { problem, refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { tags } from '../tags.ts'
import type { AccountPorts } from './ask-account.ts'
import { signedInAs } from './outcomes.ts'
import { passkeyAssertionBody, passkeyRequested } from './passkey-bodies.ts'
import { sessionSchema, sessionView } from './record.ts'
import { authenticatorCode } from './sent-fields.ts'
import { stepUp, stepUpOptions } from './step-up.ts'

const own = { callers: ['member', 'operator'], isOwnAccount: true } as const
const PATH = '/v1/session/step-up'
const over = ['unauthorized'] as const
const wrong = ['forbidden', ...over] as const

/** The second factor once more, in the session that is there. */
export const stepUpRoutes = (ports: AccountPorts): readonly Route[] => [
  defineRoute({
    access: own,
    method: 'GET',
    path: PATH,
    operationId: 'getStepUp',
    summary: 'Gives what a passkey signs in place of a code, to show the second factor again',
    description:
      'Good until the second factor is shown again, and for five minutes at least; ask again when the person has waited longer.',
    tag: tags.signingIn,
    responses: { 200: exact({ passkey: passkeyRequested }) },
    errors: over,
    handle: async ({ caller }) => {
      const options = await stepUpOptions(ports, signedInAs(caller))
      return isRefused(options) ? refusal(over, options) : reply(200, options)
    },
  }),
  defineRoute({
    access: own,
    method: 'POST',
    path: PATH,
    operationId: 'stepUp',
    summary: 'Shows the second factor again, before secrets are shown',
    description: 'By a code of the authenticator or by a passkey that has signed what `GET` gave.',
    tag: tags.signingIn,
    idempotency: 'ignored',
    body: exact({
      code: Type.Optional(authenticatorCode()),
      passkey: Type.Optional(passkeyAssertionBody),
    }),
    responses: { 200: sessionSchema },
    errors: ['invalid_request', ...wrong],
    handle: async ({ caller, body }) => {
      if ((body.code === undefined) === (body.passkey === undefined))
        return problem('invalid_request', 'One of code and passkey must be sent.')
      const who = signedInAs(caller)
      const raised = await stepUp(ports, who, body)
      return isRefused(raised) ? refusal(wrong, raised) : reply(200, sessionView(raised, who.sessionId))
    },
  }),
]
