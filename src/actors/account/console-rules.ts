import type { Eventually } from '../../domain/eventually.ts'
import { limits } from '../../domain/limits.ts'
import type { Caller } from '../../http/callers/caller.ts'
import { ownOriginOnly } from '../../http/front-door/own-origin.ts'
import { type Problem, problem } from '../../http/route/problem.ts'
import type { AnyOutcome, AnyRequest, Route } from '../../http/route/route.ts'
import { audited, sealReason } from '../audit-entry/commands.ts'
import { type AuditEnd, auditedId, type AuditFacts } from '../audit-entry/rules.ts'
import type { ApiPorts } from '../kind-ports.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'vault' | 'publicUrl'>

const STEP_UP_MS = limits.stepUpMinutes * 60_000

/**
 * What holds for members and operators on every route: a fresh second factor before secrets and before something is
 * taken away, and an audit entry for every change. On the way to a session the request must come from a page of our own.
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
    // `around` writes the audit entry of a member that an operator acts as.
    if (caller.kind === 'member' && caller.isActing === true) return route.handle(request)
    const forbidden = caller.isLocal === true ? forbiddenLocally(route) : null
    if (forbidden !== null) return problem('forbidden', forbidden)
    const missing = missingStepUp(route, caller, ports)
    if (missing !== null) return missing
    // An organisation's records are read locally under its eyes, as by an operator who acts for it.
    const isLocalRead = caller.kind === 'member' && caller.isLocal === true
    if (route.method === 'GET' && !isLocalRead) return route.handle(request)
    const facts = factsOf(route, request, caller)
    const withLine = async (organisation: string | null) => {
      const reason = route.audit?.reason?.(request) ?? null
      const isReadable = organisation !== null && reason !== null
      const sealed = isReadable ? { sealedReason: await sealReason(ports, organisation, reason) } : {}
      return audited(
        ports,
        { ...facts, organisation, ...sealed, ...(route.audit?.isToAnswered === true && { targetId: null }) },
        () => route.handle(request),
        (outcome) => endOf(outcome, route.audit?.done?.(request)),
      )
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
 * While an operator acts for an organisation every request has an audit entry: those that read too, and those that are
 * answered again under an Idempotency-Key, because the answer shows the record as it is now. What would show a secret or
 * change the members is refused, and has an entry as well.
 */
const whileActing = (
  route: Route,
  request: Omit<AnyRequest, 'recordId'>,
  ports: Ports,
  attempt: () => Eventually<AnyOutcome>,
): Promise<AnyOutcome> => {
  const facts = { ...factsOf(route, request, request.caller), initiator: 'acting_operator' } as const
  const reason = forbiddenWhileActing(route)
  const refused = reason === null ? missingStepUp(route, request.caller, ports) : problem('forbidden', reason)
  return audited(
    ports,
    facts,
    () => refused ?? attempt(),
    (outcome) => endOf(outcome),
  )
}

const missingStepUp = (
  { access }: Route,
  caller: Caller,
  { runtime }: Ports,
): Problem<'step_up_required'> | null => {
  if (!access.needsStepUp || 'isLocal' in caller) return null
  const shownAtMs = 'session' in caller ? (caller.session?.steppedUpAtMs ?? 0) : 0
  if (runtime.now() - shownAtMs < STEP_UP_MS) return null
  return problem(
    'step_up_required',
    'Show a fresh code of your authenticator or a passkey first: POST /v1/session/step-up.',
  )
}

/** With a secret or an account of its own an operator could go on after the hour of acting is over. */
const forbiddenWhileActing = ({ access }: Route): string | null => {
  if (access.changesMembers)
    return 'An operator who acts for an organisation may not change who belongs to it.'
  if (access.needsStepUp && !access.isWithoutSecret)
    return 'An operator who acts for an organisation may neither see nor set secrets.'
  return null
}

/** A line in the audit log is about one answer, and a stream goes on. */
const forbiddenLocally = ({ access, answer }: Route): string | null => {
  if (access.isOwnAccount)
    return 'This is about an account of the console, which the local credential is not.'
  return answer.isEventStream ? 'The local credential follows no events; use an API key.' : null
}

const factsOf = (route: Route, { params }: Pick<AnyRequest, 'params'>, caller: Caller): AuditFacts => {
  const { operationId: action } = route
  const targetId = auditedId(params['id'] ?? null)
  const isLocal = 'isLocal' in caller
  if (caller.kind === 'member') {
    const { tenantId: organisation, memberId: initiatorId } = caller
    return { organisation, initiator: isLocal ? 'command_line' : 'member', initiatorId, action, targetId }
  }
  const initiatorId = caller.kind === 'operator' ? caller.operatorId : null
  const initiator = isLocal ? 'command_line' : 'operator'
  return { organisation: null, initiator, initiatorId, action, targetId }
}

const endOf = (outcome: AnyOutcome, doneTo: string | null = null): AuditEnd => {
  if ('problem' in outcome) return { outcome: 'refused', targetId: null }
  if (doneTo !== null) return { outcome: 'done', targetId: doneTo }
  const { body } = outcome
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null
  return { outcome: 'done', targetId: typeof id === 'string' ? id : null }
}
