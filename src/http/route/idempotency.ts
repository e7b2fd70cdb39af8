import type { Eventually } from '../../domain/eventually.ts'
import type { Caller } from '../callers/caller.ts'

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
export type AnsweredAgain<Body> = {
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
