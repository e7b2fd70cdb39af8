import { bytesOf, textOf } from '../parts/base64url.ts'

const NAME = 'vouchsafe.lines'
const BYTES = 32
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }

/**
 * A name for what comes from a table, an offer or a part of one: the same for the same content, so that a file that is
 * sent twice from this browser offers nothing twice. The name is made with a secret of the browser: the service shows
 * names for days, and without the secret a name does not let anybody guess the values of a line.
 */
export const keyOf = async (content: string): Promise<string> =>
  textOf(await crypto.subtle.sign('HMAC', await ownKey(), new TextEncoder().encode(content)))

let imported: { readonly secret: string; readonly key: Promise<CryptoKey> } | null = null

const ownKey = (): Promise<CryptoKey> => {
  const secret = ownSecret()
  if (imported?.secret !== secret) {
    const key = crypto.subtle.importKey('raw', bytesOf(secret), ALGORITHM, false, ['sign'])
    imported = { secret, key }
  }
  return imported.key
}

const ownSecret = (): string => {
  const kept = localStorage.getItem(NAME)
  if (kept !== null) return kept
  const made = textOf(crypto.getRandomValues(new Uint8Array(BYTES)).buffer)
  localStorage.setItem(NAME, made)
  return made
}
