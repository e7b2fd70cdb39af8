import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Eventually } from '../../domain/eventually.ts'
import { limits } from '../../domain/limits.ts'
import { OPERATORS } from '../../domain/operators.ts'
import { type Caller, tenantOf } from '../callers/caller.ts'
import {
  type IdempotentAnswer,
  type IdempotentOutcome,
  type IdempotentRequest,
  type IdempotentWork,
  type AnsweredAgain,
  type Idempotency,
  type RunOncePerKey,
} from './idempotency.ts'
import { type Problem, problem, retryAfter, statusOf } from './problem.ts'
import type { AnyOutcome, AnyRequest, Route } from './route.ts'

const REPLAYED: Readonly<Record<string, string>> = Object.freeze({ 'Idempotent-Replayed': 'true' })

const KEY = new RegExp(`^[\\x20-\\x7e]{1,${limits.idempotencyKeyCharactersMax}}$`)

/** Whether the same key gets the same answer on this route. */
export const isAnsweredAgain = <Body>(
  idempotency: Idempotency<Body> | null,
): idempotency is AnsweredAgain<Body> =>
  idempotency !== null && idempotency !== 'ignored' && !('keyMeaning' in idempotency)

/**
 * Runs the route once per key, however often the request comes. Without a key, every request is one of its own.
 * `meaning`: what two bodies have in common that are the same request.
 */
export const runIdempotent = (
  route: Route,
  request: Omit<AnyRequest, 'recordId'>,
  longText: Uint8Array | null,
  oncePerKey: RunOncePerKey,
  meaning: unknown = request.body,
): Eventually<AnyOutcome> => {
  const { idempotency } = route
  if (!isAnsweredAgain(idempotency)) return route.handle({ ...request, recordId: '' })
  const newRecordId = () => idempotency.newRecordId(request)
  const key = request.head.headers.get('idempotency-key')
  if (key === undefined) return route.handle({ ...request, recordId: newRecordId(), isRecordNew: true })
  if (!KEY.test(key))
    return problem(
      'invalid_request',
      `Idempotency-Key must have 1 to ${limits.idempotencyKeyCharactersMax} printable characters.`,
    )
  const tenant = ownerOfKey(request.caller)
  if (tenant === null) throw new Error('a key belongs to an organisation')
  const asked = { tenant, method: route.method, path: pathOf(route, request), key, body: meaning }
  const work = {
    newRecordId,
    showRecord: (recordId: string) => idempotency.showRecord(tenant, recordId, request),
    storedFields: idempotency.storedFields ?? [],
    secretFields: idempotency.secretFields ?? [],
  }
  if (longText === null) return runOnce(route, request, oncePerKey, asked, work)
  return digestOf(longText).then((digest) =>
    runOnce(route, request, oncePerKey, { ...asked, body: { rest: request.body, longText: digest } }, work),
  )
}

const SLICE_BYTES = 524_288

/**
 * In slices, between which others have their turn. A thread would do it beside the event loop, but would have to be
 * given a copy, which takes as long.
 */
const digestOf = async (longText: Uint8Array): Promise<string> => {
  const hash = createHash('sha256')
  for (let at = 0; at < longText.byteLength; at += SLICE_BYTES) {
    hash.update(longText.subarray(at, at + SLICE_BYTES))
    await setImmediate()
  }
  return hash.digest('base64url')
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
      : { status: outcome.status, body: outcome.body as IdempotentAnswer['body'] }
  }
  const outcome = await oncePerKey(asked, { ...work, createdStatus: successOf(route), run })
  if (outcome.is !== 'answer') return notNow(outcome)
  // The route's own outcome has its headers too.
  if (own === null) return { ...outcome.answer, headers: outcome.isReplayed ? REPLAYED : {} }
  return lacksSecret(own, work.secretFields) ? { ...own, headers: { ...own.headers, ...REPLAYED } } : own
}

/** An earlier attempt had made the secret, and its answer was lost. */
const lacksSecret = (outcome: AnyOutcome, secretFields: readonly string[]): outcome is Answered =>
  !('problem' in outcome) &&
  secretFields.some((name) => (outcome.body as IdempotentAnswer['body'])[name] === null)

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
const ownerOfKey = (caller: Caller): string | null =>
  caller.kind === 'operator' ? OPERATORS : tenantOf(caller)

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
