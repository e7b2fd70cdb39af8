import type { Code } from './codes.ts'

/** A refusal of the rules: a value, not an exception. */
export type Refused = { readonly refused: Code; readonly reason: string }

export const refuse = (refused: Code, reason: string): Refused => ({ refused, reason })

export const isRefused = (reply: unknown): reply is Refused =>
  typeof reply === 'object' && reply !== null && 'refused' in reply
