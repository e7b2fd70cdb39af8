import { ActorFailed, AskFailed, NoSuchActor, isRetryable } from '../../ports/actors.ts'
import { KeyGone, KeyLost, KeyUnknown } from '../../ports/vault.ts'

/**
 * A failure as it goes to another node. Codes, ids and names of errors: the text of an error that is not ours may quote
 * what it was about, and stays where it is.
 */
export type CrossedFailure =
  | readonly ['ask', AskFailed['code'], string, number, CrossedFailure | null]
  | readonly ['actor', string, CrossedFailure | null]
  | readonly ['none']
  | readonly ['key', keyof typeof keyFailures, string]
  | readonly ['other', string, boolean, CrossedFailure | null]

const keyFailures = { KeyGone, KeyLost, KeyUnknown }

const CAUSES_MAX = 3
const NAME = /^[A-Za-z]{1,60}$/

export const failureAcross = (error: unknown, depth = 0): CrossedFailure => {
  if (!(error instanceof Error)) return ['other', 'Error', false, null]
  const { cause } = error
  const crossed = cause instanceof Error && depth < CAUSES_MAX ? failureAcross(cause, depth + 1) : null
  if (error instanceof AskFailed) return ['ask', error.code, error.message, error.retryAfterMs, crossed]
  if (error instanceof ActorFailed) return ['actor', error.actor, crossed]
  if (error instanceof NoSuchActor) return ['none']
  if (error instanceof KeyGone || error instanceof KeyLost || error instanceof KeyUnknown)
    return ['key', error.name, error.record]
  return ['other', NAME.test(error.name) ? error.name : 'Error', isRetryable(error), crossed]
}

/** A failure at another node of which only the name came over. */
class FailedElsewhere extends Error {
  override readonly name: string
  readonly retryable: boolean
  constructor(name: string, retryable: boolean, options?: ErrorOptions) {
    super('the node that serves the record failed', options)
    this.name = name
    this.retryable = retryable
  }
}

export const failureFrom = (crossed: CrossedFailure): Error => {
  switch (crossed[0]) {
    case 'ask':
      return new AskFailed(crossed[1], crossed[2], crossed[3], causeFrom(crossed[4]))
    case 'actor':
      return new ActorFailed(crossed[1], causeFrom(crossed[2]))
    case 'none':
      return new NoSuchActor()
    case 'key':
      return new keyFailures[crossed[1]](crossed[2])
    case 'other':
      return new FailedElsewhere(crossed[1], crossed[2], causeFrom(crossed[3]))
  }
}

const causeFrom = (crossed: CrossedFailure | null): ErrorOptions | undefined =>
  crossed === null ? undefined : { cause: failureFrom(crossed) }
