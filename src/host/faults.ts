import { ActorFailed, AskFailed, isRetryable } from '../ports/actors.ts'
import { KeyUnknown } from '../ports/vault.ts'

/**
 * A failure for the operator's log and metrics, beside the answer that the caller gets. It names actor and shard by their
 * ids; the error is logged without its text, which may quote personal data.
 */
export type HostFault = {
  readonly during: 'decision' | 'recovery' | 'effect' | 'timer' | 'snapshot' | 'key' | 'body' | 'commit'
  readonly actor: string | null
  readonly shard: number
  readonly error: unknown
}

export type ReportFault = (fault: HostFault) => void

const RETRY_SOON_MS = 200
const RETRY_LATER_MS = 1_000

export const unavailable = (reason: string, cause?: unknown): AskFailed =>
  new AskFailed('unavailable', reason, RETRY_LATER_MS, cause === undefined ? undefined : { cause })

export const overloaded = (reason: string): AskFailed => new AskFailed('overloaded', reason, RETRY_LATER_MS)

export const notOwner = (shard: number): AskFailed =>
  new AskFailed('not_owner', `shard ${shard} is not served here now`, RETRY_SOON_MS)

/** What an asker hears: come again, what the error itself says of a command that came too late, or that the actor is broken. */
export const failureOf = (actor: string, error: unknown): Error => {
  if (error instanceof AskFailed) return error
  if (isRetryable(error)) return unavailable('the store does not answer', error)
  return error instanceof Error && 'retryable' in error ? error : new ActorFailed(actor, { cause: error })
}

/** Its text does not decode, or its key is not known: it can go without being read. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof ActorFailed ||
  error instanceof KeyUnknown ||
  (error instanceof Error && error.cause instanceof KeyUnknown)
