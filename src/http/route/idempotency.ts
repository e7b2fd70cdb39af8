import type { Eventually } from '../../domain/eventually.ts'
import { limits } from '../../domain/limits.ts'
import { OPERATORS } from '../../domain/operators.ts'
import type { Caller } from '../callers/caller.ts'
import { type Problem, problem, retryAfter, statusOf } from './problem.ts'
import type { AnyOutcome, AnyRequest, Route } from './route.ts'

type Params = Readonly<Record<string, string>>
type Fields = Readonly<Record<string, unknown>>

/** What an Idempotency-Key does on a route. */
export type Idempotency<Body> =
  /** Nothing: what a password, a code or a passkey proves once is not proved by the same request coming again. */
  | 'ignored'
  /** The contract gives the key a meaning of its own on this route, which cannot do without it: this. */
  | { readonly keyMeaning: string }
  | AnsweredAgain<Body>

/**
 * The same key gets the same answer: made from the record as it is then, because personal data is not kept with the
 * key.
 */
type AnsweredAgain<Body> = {
  /** The id of what the request makes, or of what it changes. */
  readonly newRecordId: (request: Asked<Body>) => string
  /** The body of the answer as the record is now; null when the record was never made. */
  readonly showRecord: (tenant: string, recordId: string, request: Asked<Body>) => Eventually<Fields | null>
  /** Fields of the first answer that are kept with the key and answered again as they were; never personal ones. */
  readonly storedFields?: readonly string[]
  /** Secrets: shown in the first answer alone, and null in every later one. */
  readonly secretFields?: readonly string[]
}

type Asked<Body> = { readonly body: Body; readonly params: Params; readonly caller: Caller }

/** A request under a key. */
export type IdempotentRequest = {
  readonly tenant: string
  readonly method: string
  readonly path: string
  readonly key: string
  readonly body: unknown
}

export type IdempotentAnswer = { readonly status: number; readonly body: Fields }

/** What the route does for such a request. */
export type IdempotentWork = {
  /** Used when the key is new; a retry gets the id of the first attempt. */
  readonly newRecordId: () => string
  /** Creates the record, or finds that it exists. `run` makes command ids that no other attempt has. */
  readonly run: (recordId: string, run: string) => Promise<IdempotentAnswer>
  /**
   * The record as a GET shows it now, null when there is none: personal fields come from here alone, and are null after
   * an erasure.
   */
  readonly showRecord: (recordId: string) => Eventually<Fields | null>
  /** Of the answer that creates the record. */
  readonly createdStatus: number
  /** Fields of the answer that are stored. A field that is not named here is shown from the record. */
  readonly storedFields: readonly string[]
  /**
   * Secrets that the first answer shows: never stored, and null in every other answer. What makes one makes it once
   * for each record id, so an attempt that was lost is simply run again.
   */
  readonly secretFields: readonly string[]
}

export type IdempotentOutcome =
  | { readonly is: 'answer'; readonly answer: IdempotentAnswer; readonly isReplayed: boolean }
  | { readonly is: 'idempotency_in_progress'; readonly retryAfterMs: number }
  | { readonly is: 'idempotency_key_reused' }

/** Does the work once per key, and remembers the answer. */
export type RunOncePerKey = (request: IdempotentRequest, work: IdempotentWork) => Promise<IdempotentOutcome>

const REPLAYED: Readonly<Record<string, string>> = Object.freeze({ 'Idempotent-Replayed': 'true' })

const KEY = new RegExp(`^[\\x20-\\x7e]{1,${limits.idempotencyKeyCharactersMax}}$`)

/** Whether the same key gets the same answer on this route. */
export const isAnsweredAgain = <Body>(
  idempotency: Idempotency<Body> | null,
): idempotency is AnsweredAgain<Body> =>
  idempotency !== null && idempotency !== 'ignored' && !('keyMeaning' in idempotency)

/** Runs the route once per key, however often the request comes. Without a key, every request is one of its own. */
export const runIdempotent = (
  route: Route,
  request: Omit<AnyRequest, 'recordId'>,
  oncePerKey: RunOncePerKey | null,
): Eventually<AnyOutcome> => {
  const { idempotency } = route
  if (!isAnsweredAgain(idempotency)) return route.handle({ ...request, recordId: '' })
  const newRecordId = () => idempotency.newRecordId(request)
  const key = request.head.headers.get('idempotency-key')
  if (key === undefined) return route.handle({ ...request, recordId: newRecordId() })
  if (!KEY.test(key))
    return problem(
      'invalid_request',
      `Idempotency-Key must have 1 to ${limits.idempotencyKeyCharactersMax} printable characters.`,
    )
  const tenant = tenantOf(request.caller)
  if (oncePerKey === null || tenant === null) throw new Error('nothing is there to remember the key')
  const asked = { tenant, method: route.method, path: pathOf(route, request), key, body: request.body }
  return runOnce(route, request, oncePerKey, asked, {
    newRecordId,
    showRecord: (recordId) => idempotency.showRecord(tenant, recordId, request),
    storedFields: idempotency.storedFields ?? [],
    secretFields: idempotency.secretFields ?? [],
  })
}

type Work = Omit<IdempotentWork, 'run' | 'createdStatus'>

const runOnce = async (
  route: Route,
  request: Omit<AnyRequest, 'recordId'>,
  oncePerKey: RunOncePerKey,
  asked: IdempotentRequest,
  work: Work,
): Promise<AnyOutcome> => {
  let own = null as AnyOutcome | null
  const run = async (recordId: string): Promise<IdempotentAnswer> => {
    const outcome = await route.handle({ ...request, recordId })
    own = outcome
    return 'problem' in outcome
      ? { status: statusOf[outcome.problem], body: {} }
      : { status: outcome.status, body: outcome.body as Fields }
  }
  const outcome = await oncePerKey(asked, { ...work, createdStatus: successOf(route), run })
  if (outcome.is !== 'answer') return notNow(outcome)
  // The route's own outcome has its headers too.
  if (own === null) return { ...outcome.answer, headers: outcome.isReplayed ? REPLAYED : {} }
  return lacksSecret(own, work.secretFields) ? { ...own, headers: { ...own.headers, ...REPLAYED } } : own
}

/** An earlier attempt had made the secret, and its answer was lost. */
const lacksSecret = (outcome: AnyOutcome, secretFields: readonly string[]): outcome is Answered =>
  !('problem' in outcome) && secretFields.some((name) => (outcome.body as Fields)[name] === null)

type Answered = Exclude<AnyOutcome, Problem>

const notNow = (outcome: Exclude<IdempotentOutcome, { is: 'answer' }>): Problem =>
  outcome.is === 'idempotency_key_reused'
    ? problem(outcome.is, 'This Idempotency-Key was used with another body; a new request needs a new key.')
    : problem(
        outcome.is,
        'The first request with this Idempotency-Key is still under way; try again.',
        retryAfter(outcome.retryAfterMs),
      )

/** The operators of the service share their keys. */
const tenantOf = (caller: Caller): string | null => {
  if (caller.kind === 'operator') return OPERATORS
  return 'tenantId' in caller ? caller.tenantId : null
}

/** The path as it was meant, however its letters were percent-encoded. Routes of an account differ by the account. */
const pathOf = ({ path, access }: Route, { params, caller }: Omit<AnyRequest, 'recordId'>): string => {
  const asked = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return access.isOwnAccount ? `${asked} of ${accountOf(caller)}` : asked
}

const accountOf = (caller: Caller): string => {
  if (caller.kind === 'member') return caller.memberId
  return caller.kind === 'operator' ? caller.operatorId : ''
}

const successOf = ({ responses }: Route): number => Number(Object.keys(responses).toSorted()[0])
