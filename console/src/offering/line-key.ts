import type { OfferCredentialBody } from '../api/generated/operations.ts'
import { bytesOf, textOf } from '../parts/base64url.ts'

const NAME = 'vouchsafe.lines'
const BYTES = 32
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }

/**
 * The name of an offer that came from a table: the same for the same line, so that a file that is sent twice from this
 * browser offers nothing twice. It is made with a secret of the browser, because the service shows it for days and nobody
 * shall find out by trying what a line said.
 */
export const keyOfLine = async (offer: OfferCredentialBody): Promise<string> => {
  const key = await crypto.subtle.importKey('raw', bytesOf(ownSecret()), ALGORITHM, false, ['sign'])
  return textOf(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(JSON.stringify(offer))))
}

const ownSecret = (): string => {
  const kept = localStorage.getItem(NAME)
  if (kept !== null) return kept
  const made = textOf(crypto.getRandomValues(new Uint8Array(BYTES)).buffer)
  localStorage.setItem(NAME, made)
  return made
}
