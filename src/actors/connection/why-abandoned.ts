import type { FailureCode } from '../../domain/failures.ts'

/** Why a handshake is over, for its record and for the counts. */
export type WhyAbandoned = { readonly errorMessage: string; readonly failure: FailureCode }

export const slow: WhyAbandoned = {
  errorMessage: 'The holder was slow, and too many others wanted to connect.',
  failure: 'gave_way',
}
export const unanswered: WhyAbandoned = {
  errorMessage: 'The holder did not complete the connection within 24 hours.',
  failure: 'no_answer',
}
export const reported = ({ code, text }: { readonly code: string; readonly text: string }): WhyAbandoned => ({
  errorMessage: text === '' ? code : text,
  failure: 'reported_by_wallet',
})
export const unreachable = (errorMessage: string): WhyAbandoned => ({ errorMessage, failure: 'unreachable' })
