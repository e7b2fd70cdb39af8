import { limits } from '../../domain/limits.ts'
import { type AuditFacts, auditedId } from '../audit-entry/rules.ts'
import type { AuditEnd } from '../audit-entry/record-entry.ts'
import type { Caller } from '../../http/callers/caller.ts'
import { problem } from '../../http/route/problem.ts'
import type { AnyOutcome, AnyRequest, Route } from '../../http/route/route.ts'

export type ConsoleRules = {
  readonly now: () => number
  /** As ciphertext that the organisation can read. */
  readonly sealReason: (organisation: string, reason: string) => Promise<string>
  readonly audited: (
    facts: AuditFacts,
    run: () => AnyOutcome | Promise<AnyOutcome>,
    endOf: (outcome: AnyOutcome) => AuditEnd,
  ) => Promise<AnyOutcome>
}

const STEP_UP_MS = limits.stepUpMinutes * 60_000

/** What holds for people whatever the route: a fresh second factor before secrets, and a line of the audit log. */
export const withConsoleRules = (route: Route, rules: ConsoleRules): Route => {
  if (route.raw !== null || !route.access.callers.some((kind) => kind === 'member' || kind === 'operator'))
    return route
  const handle: Route['handle'] = (request) => {
    const { caller } = request
    if (caller.kind !== 'member' && caller.kind !== 'operator') return route.handle(request)
    // Has its line around it.
    if (caller.kind === 'member' && caller.isActing === true) return route.handle(request)
    if (route.access.needsStepUp && rules.now() - (caller.session?.steppedUpAtMs ?? 0) >= STEP_UP_MS)
      return problem(
        'step_up_required',
        'Show a fresh code of your authenticator first: POST /v1/session/step-up.',
      )
    if (route.method === 'GET') return route.handle(request)
    const facts = factsOf(route, request, caller)
    const audited = async (organisation: string | null) => {
      const reason = route.audit?.reason?.(request) ?? null
      const isTold = organisation !== null && reason !== null
      const told = isTold ? { sealedReason: await rules.sealReason(organisation, reason) } : {}
      return rules.audited({ ...facts, organisation, ...told }, () => route.handle(request), endOf)
    }
    const organisationOf = route.audit?.organisation
    if (caller.kind === 'member' || organisationOf === undefined) return audited(facts.organisation)
    return organisationOf(request).then(audited)
  }
  const errors = route.access.needsStepUp ? [...route.errors, 'step_up_required' as const] : route.errors
  const around: Route['around'] = (request, run) =>
    request.caller.kind === 'member' && request.caller.isActing === true
      ? whileActing(route, request, rules, run)
      : run()
  return Object.freeze({ ...route, errors, handle, around })
}

/**
 * Every request has its line: reading too, and what is answered again under a key, which shows the record as it is now.
 * What would show a secret or change its people is refused, and has one as well.
 */
const whileActing = (
  route: Route,
  request: Omit<AnyRequest, 'recordId'>,
  rules: ConsoleRules,
  attempt: () => AnyOutcome | Promise<AnyOutcome>,
): Promise<AnyOutcome> => {
  const facts = { ...factsOf(route, request, request.caller), initiator: 'acting_operator' } as const
  const reason = forbiddenWhileActing(route)
  const run = (): AnyOutcome | Promise<AnyOutcome> =>
    reason === null ? attempt() : problem('forbidden', reason)
  return rules.audited(facts, run, endOf)
}

/** A door that somebody leaves open behind them would outlast the hour. */
const forbiddenWhileActing = ({ access }: Route): string | null => {
  if (access.changesMembers) return 'Whoever acts for an organisation does not change who belongs to it.'
  if (access.needsStepUp) return 'Whoever acts for an organisation is shown no secrets and sets none.'
  return null
}

const factsOf = (route: Route, { params }: Pick<AnyRequest, 'params'>, caller: Caller): AuditFacts => {
  const { operationId: action } = route
  const targetId = auditedId(params['id'] ?? null)
  if (caller.kind === 'member') {
    const { tenantId: organisation, memberId: initiatorId } = caller
    return { organisation, initiator: 'member', initiatorId, action, targetId }
  }
  const initiatorId = caller.kind === 'operator' ? caller.operatorId : null
  return { organisation: null, initiator: 'operator', initiatorId, action, targetId }
}

const endOf = (outcome: AnyOutcome): AuditEnd => {
  if ('problem' in outcome) return { outcome: 'refused', targetId: null }
  const { body } = outcome
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null
  return { outcome: 'done', targetId: typeof id === 'string' ? id : null }
}
