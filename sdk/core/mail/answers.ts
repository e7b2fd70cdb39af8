import { textOf } from '../bytes.ts'
import type { NetworkAnswer } from '../ports.ts'

export const ENVELOPE = 'application/didcomm-envelope-enc'

/** With these a receiver says that it never takes this message; anything else may pass. */
const FINAL = new Set([400, 404, 410, 413, 415, 422])

/** What an answer says of the message: of everything else that it may be nobody knows whose it is. */
export type Said = 'taken' | 'refused' | 'nothing'

/**
 * What stands between a wallet and the service (a proxy that wants a sign-in, a gateway that is being changed) answers in
 * its place, with a page or in a form of its own, and knows nothing of the message. So a receiver is known by what it
 * says: nothing or an envelope where it took the message, `error` and `reason` where it refuses it.
 */
export const saidBy = ({ status, body }: Pick<NetworkAnswer, 'status' | 'body'>): Said => {
  if (status < 300) return body.length === 0 || envelopeIn(body) !== null ? 'taken' : 'nothing'
  return FINAL.has(status) && isRefusal(body) ? 'refused' : 'nothing'
}

export const envelopeIn = (body: Uint8Array): string | null => {
  const text = textIn(body)
  return text !== null && fieldsIn(text)?.['protected'] !== undefined ? text : null
}

const CODE = /^[a-z_]{1,64}$/

/** The service's own form of a refusal, whatever code a later version of it may have. */
const isRefusal = (body: Uint8Array): boolean => {
  const { error, reason } = fieldsIn(textIn(body) ?? '') ?? {}
  return typeof error === 'string' && CODE.test(error) && typeof reason === 'string'
}

const textIn = (body: Uint8Array): string | null => {
  try {
    return textOf(body)
  } catch {
    return null
  }
}

const fieldsIn = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null
  } catch {
    return null
  }
}
