import { limits } from '../domain/limits.ts'
import type { Answer, IdempotentOutcome, IdempotentRequest, IdempotentWork } from '../use-cases/idempotent.ts'
import { OPERATORS } from '../use-cases/accounts/audit.ts'
import type { Caller } from './caller.ts'
import { type Problem, problem, retryAfter, statusOf } from './problem.ts'
import type { AnyOutcome, AnyRequest, Route } from './route.ts'

type Params = Readonly<Record<string, string>>
type Fields = Readonly<Record<string, unknown>>

/** What a POST does when it comes again under the same Idempotency-Key. */
export type Repetition<Body> =
  /** The route reads the header itself, because the contract gives it a rule of its own. */
  | 'own_rule'
  /** … and cannot do without it; what it must be. */
  | { readonly ownKey: string }
  | {
      /** Of what the request makes, or of what it changes. */
      readonly recordId: (request: { readonly body: Body; readonly params: Params }) => string
      /** The record as the answer shows it, as it is now; null when it never came to be. */
      readonly recall: (tenant: string, recordId: string) => Promise<Fields | null>
      /** Fields that are repeated as they were, never personal ones. Null: the answer holds a secret and is not kept. */
      readonly repeated: readonly string[] | null
    }

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
  if (repetition === null || repetition === 'own_rule' || 'ownKey' in repetition)
    return route.handle({ ...request, recordId: '' })
  const newRecordId = () => repetition.recordId({ body: request.body, params: request.params })
  const key = request.head.headers.get('idempotency-key')
  if (key === undefined) return route.handle({ ...request, recordId: newRecordId() })
  if (!KEY.test(key))
    return problem(
      'invalid_request',
      `Idempotency-Key must have 1 to ${limits.idempotencyKeyCharactersMax} printable characters.`,
    )
  const tenant = tenantOf(request.caller)
  if (idempotent === null || tenant === null) throw new Error('nothing is there to remember the key')
  const asked = { tenant, method: route.method, path: pathOf(route, request.params), key, body: request.body }
  return runOnce(route, request, idempotent, asked, {
    newRecordId,
    recall: (recordId) => repetition.recall(tenant, recordId),
    repeated: repetition.repeated,
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
  let own: AnyOutcome | null = null
  const run = async (recordId: string): Promise<Answer> => {
    own = await route.handle({ ...request, recordId })
    return 'problem' in own
      ? { status: statusOf[own.problem], body: {} }
      : { status: own.status, body: own.body as Fields }
  }
  const outcome = await idempotent(asked, { ...work, createdStatus: successOf(route), run })
  if (outcome.is !== 'answer') return notNow(outcome)
  // The route's own outcome has its headers too.
  return own ?? { ...outcome.answer, headers: outcome.replayed ? REPLAYED : {} }
}

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

/** However its letters were percent-encoded. */
const pathOf = ({ path }: Route, params: Params): string =>
  path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

const successOf = ({ responses }: Route): number => Number(Object.keys(responses).toSorted()[0])
