import { isRefused } from '../../domain/decider.ts'
import { refusal, problem } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { tags } from '../tags.ts'
import { readPolicy } from './account.ts'
import { type PolicyPorts, setPolicy, tryPolicy } from './commands.ts'
import { policySchema, policyView, sentPolicy, trialSchema } from './record.ts'

const PATH = '/v1/biometric'
const refusals = ['invalid_request', 'credential_definition_not_found', 'biometric_setup_invalid'] as const

/** When holders pass a face check. It is set up in the console alone. */
export const biometricRoutes = (ports: PolicyPorts): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getBiometricPolicy',
    summary: 'Shows when holders pass a face check, and who checks',
    description: 'The secrets of the account are never shown.',
    tag: tags.biometrics,
    access: { callers: ['member'] },
    responses: { 200: policySchema },
    errors: [],
    handle: async ({ caller }) => reply(200, policyView(await readPolicy(ports, caller.tenantId))),
  }),
  defineRoute({
    method: 'PUT',
    path: PATH,
    operationId: 'setBiometricPolicy',
    summary: 'Sets when holders pass a face check, and who checks',
    description:
      'The account is tried before anything is saved: every right that a check needs, with a picture in which there is no face. What is wrong with it is 422 `biometric_setup_invalid`, with a sentence for each. Checks that are under way keep vendor, limits and window of their beginning. A vendor cannot be taken away from definitions and templates that need a check.',
    tag: tags.biometrics,
    access: { callers: ['member'], needsStepUp: true },
    body: sentPolicy,
    responses: { 200: policySchema },
    errors: refusals,
    handle: async ({ caller, body }) => {
      const set = await setPolicy(ports, caller.tenantId, body)
      return isRefused(set) ? refusal(refusals, set) : reply(200, policyView(set))
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/test`,
    operationId: 'testBiometricPolicy',
    summary: 'Tries the account that is set, as saving it does',
    tag: tags.biometrics,
    access: { callers: ['member'] },
    responses: { 200: trialSchema },
    errors: ['not_found'],
    idempotency: 'ignored',
    handle: async ({ caller }) => {
      const problems = await tryPolicy(ports, caller.tenantId)
      if (problems === null) return problem('not_found', 'No vendor of face checks is set.')
      return reply(200, { works: problems.length === 0, problems: [...problems] })
    },
  }),
]
