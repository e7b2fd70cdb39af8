import type { Code } from './codes.ts'

/**
 * Why the rules refuse. Callers of the API meet the codes alone; a message of a wallet that comes after the end of its
 * exchange (`message_late`) or out of turn (`message_unexpected`) is answered by a problem report.
 */
export type Refusal = Code | 'message_late' | 'message_unexpected'

/** A refusal of the rules: a value, not an exception. */
export type Refused = { readonly refused: Refusal; readonly reason: string }

export const refuse = (refused: Refusal, reason: string): Refused => ({ refused, reason })

export const isRefused = (reply: unknown): reply is Refused =>
  typeof reply === 'object' && reply !== null && 'refused' in reply
