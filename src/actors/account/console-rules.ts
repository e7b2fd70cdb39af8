import { limits } from '../../domain/limits.ts'
import type { Caller } from '../../http/callers/caller.ts'
import { ownOriginOnly } from '../../http/front-door/own-origin.ts'
import { problem } from '../../http/route/problem.ts'
import type { AnyOutcome, AnyRequest, Route } from '../../http/route/route.ts'
import { audited, sealReason } from '../audit-entry/commands.ts'
import { type AuditEnd, auditedId, type AuditFacts } from '../audit-entry/rules.ts'
import type { ApiPorts } from '../kind-ports.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'vault' | 'publicUrl'>

const STEP_UP_MS = limits.stepUpMinutes * 60_000

/**
 * What holds for people whatever the route: before a session a page of our own, in it a fresh second factor before
 * secrets, and a line of the audit log.
 */
export const withConsoleRules = (route: Route, ports: Ports): Route => {
  if (route.access.isBeforeSignIn) {
    const checkOrigin = ownOriginOnly(ports.publicUrl)
    const handle: Route['handle'] = (request) => checkOrigin(request.head) ?? route.handle(request)
    return Object.freeze({ ...route, handle })
  }
  if (route.raw !== null || !route.access.callers.some((kind) => kind === 'member' || kind === 'operator'))
    return route
  const handle: Route['handle'] = (request) => {
    const { caller } = request
    if (caller.kind !== 'member' && caller.kind !== 'operator') return route.handle(request)
    // Has its line around it.
    if (caller.kind === 'member' && caller.isActing === true) return route.handle(request)
    if (route.access.needsStepUp && ports.runtime.now() - (caller.session?.steppedUpAtMs ?? 0) >= STEP_UP_MS)
      return problem(
        'step_up_required',
        'Show a fresh code of your authenticator first: POST /v1/session/step-up.',
      )
    if (route.method === 'GET') return route.handle(request)
    const facts = factsOf(route, request, caller)
    const withLine = async (organisation: string | null) => {
      const reason = route.audit?.reason?.(request) ?? null
      const hasReason = organisation !== null && reason !== null
      const why = hasReason ? { sealedReason: await sealReason(ports, organisation, reason) } : {}
      return audited(ports, { ...facts, organisation, ...why }, () => route.handle(request), endOf)
    }
    const organisationOf = route.audit?.organisation
    if (caller.kind === 'member' || organisationOf === undefined) return withLine(facts.organisation)
    return organisationOf(request).then(withLine)
  }
  const errors = route.access.needsStepUp ? [...route.errors, 'step_up_required' as const] : route.errors
  const around: Route['around'] = (request, run) =>
    request.caller.kind === 'member' && request.caller.isActing === true
      ? whileActing(route, request, ports, run)
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
  ports: Ports,
  attempt: () => AnyOutcome | Promise<AnyOutcome>,
): Promise<AnyOutcome> => {
  const facts = { ...factsOf(route, request, request.caller), initiator: 'acting_operator' } as const
  const reason = forbiddenWhileActing(route)
  const run = (): AnyOutcome | Promise<AnyOutcome> =>
    reason === null ? attempt() : problem('forbidden', reason)
  return audited(ports, facts, run, endOf)
}

/** A member who is let in while an operator acts would still be there when the hour is over. */
const forbiddenWhileActing = ({ access }: Route): string | null => {
  if (access.changesMembers)
    return 'An operator who acts for an organisation does not change who belongs to it.'
  if (access.needsStepUp) return 'An operator who acts for an organisation is shown no secrets and sets none.'
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
