import { limits } from '../../domain/limits.ts'
import type {
  Answer,
  IdempotentOutcome,
  IdempotentRequest,
  IdempotentWork,
} from '../../actors/idempotency-claim/idempotent.ts'
import { OPERATORS } from '../../actors/audit-entry/record-entry.ts'
import type { Caller } from '../callers/caller.ts'
import { type Problem, problem, retryAfter, statusOf } from './problem.ts'
import type { AnyOutcome, AnyRequest, Route } from './route.ts'

type Params = Readonly<Record<string, string>>
type Fields = Readonly<Record<string, unknown>>

/** What a POST does when it comes again under the same Idempotency-Key. */
export type Repetition<Body> =
  /** The header is not read: what is proved once (a password, a code, a passkey) is not to be proved by its repetition. */
  | 'ignored'
  /** The contract gives the header a meaning of its own on this route, which cannot do without it; what it must be. */
  | { readonly ownKey: string }
  | Repeatable<Body>

type Repeatable<Body> = {
  /** Of what the request makes, or of what it changes. */
  readonly recordId: (request: Asked<Body>) => string
  /** The record as the answer shows it, as it is now; null when it never came to be. */
  readonly recall: (tenant: string, recordId: string, request: Asked<Body>) => Promise<Fields | null>
  /** Fields that are repeated as they were, never personal ones. */
  readonly repeated: readonly string[]
  /** Secrets: in the first answer alone, and null in its repetitions. */
  readonly withheld?: readonly string[]
}

type Asked<Body> = { readonly body: Body; readonly params: Params; readonly caller: Caller }

/** Remembers what was asked under a key. */
export type Idempotent = (request: IdempotentRequest, work: IdempotentWork) => Promise<IdempotentOutcome>

const REPLAYED: Readonly<Record<string, string>> = Object.freeze({ 'Idempotent-Replayed': 'true' })

const KEY = new RegExp(`^[\\x20-\\x7e]{1,${limits.idempotencyKeyCharactersMax}}$`)

/** Runs the route once per key, however often the request comes. Without a key, every request is one of its own. */
export const runRepeatable = (
  route: Route,
  request: Omit<AnyRequest, 'recordId'>,
  idempotent: Idempotent | null,
): AnyOutcome | Promise<AnyOutcome> => {
  const { repetition } = route
  if (repetition === null || repetition === 'ignored' || 'ownKey' in repetition)
    return route.handle({ ...request, recordId: '' })
  const newRecordId = () => repetition.recordId(request)
  const key = request.head.headers.get('idempotency-key')
  if (key === undefined) return route.handle({ ...request, recordId: newRecordId() })
  if (!KEY.test(key))
    return problem(
      'invalid_request',
      `Idempotency-Key must have 1 to ${limits.idempotencyKeyCharactersMax} printable characters.`,
    )
  const tenant = tenantOf(request.caller)
  if (idempotent === null || tenant === null) throw new Error('nothing is there to remember the key')
  const asked = { tenant, method: route.method, path: pathOf(route, request), key, body: request.body }
  return runOnce(route, request, idempotent, asked, {
    newRecordId,
    recall: (recordId) => repetition.recall(tenant, recordId, request),
    repeated: repetition.repeated,
    withheld: repetition.withheld ?? [],
  })
}

type Work = Omit<IdempotentWork, 'run' | 'createdStatus'>

const runOnce = async (
  route: Route,
  request: Omit<AnyRequest, 'recordId'>,
  idempotent: Idempotent,
  asked: IdempotentRequest,
  work: Work,
): Promise<AnyOutcome> => {
  let own = null as AnyOutcome | null
  const run = async (recordId: string): Promise<Answer> => {
    const outcome = await route.handle({ ...request, recordId })
    own = outcome
    return 'problem' in outcome
      ? { status: statusOf[outcome.problem], body: {} }
      : { status: outcome.status, body: outcome.body as Fields }
  }
  const outcome = await idempotent(asked, { ...work, createdStatus: successOf(route), run })
  if (outcome.is !== 'answer') return notNow(outcome)
  // The route's own outcome has its headers too.
  if (own === null) return { ...outcome.answer, headers: outcome.replayed ? REPLAYED : {} }
  return lacksSecret(own, work.withheld) ? { ...own, headers: { ...own.headers, ...REPLAYED } } : own
}

/** An attempt that was lost had made it. */
const lacksSecret = (outcome: AnyOutcome, withheld: readonly string[]): outcome is Answered =>
  !('problem' in outcome) && withheld.some((name) => (outcome.body as Fields)[name] === null)

type Answered = Exclude<AnyOutcome, Problem>

const notNow = (outcome: Exclude<IdempotentOutcome, { is: 'answer' }>): Problem =>
  outcome.is === 'idempotency_key_reused'
    ? problem(outcome.is, 'This Idempotency-Key was used with another body; a new request needs a new key.')
    : problem(
        outcome.is,
        'The first request with this Idempotency-Key is still under way; try again.',
        retryAfter(outcome.retryAfterMs),
      )

/** Operators have their keys among themselves. */
const tenantOf = (caller: Caller): string | null => {
  if (caller.kind === 'operator') return OPERATORS
  return 'tenantId' in caller ? caller.tenantId : null
}

/** However its letters were percent-encoded. What is one's own has a path of one's own. */
const pathOf = ({ path, ownAccount }: Route, { params, caller }: Omit<AnyRequest, 'recordId'>): string => {
  const asked = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return ownAccount === true ? `${asked} of ${accountOf(caller)}` : asked
}

const accountOf = (caller: Caller): string => {
  if (caller.kind === 'member') return caller.memberId
  return caller.kind === 'operator' ? caller.operatorId : ''
}

const successOf = ({ responses }: Route): number => Number(Object.keys(responses).toSorted()[0])
