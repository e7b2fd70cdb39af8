import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { KindTypes } from '../domain/decider.ts'
import type { Ref, References } from '../domain/references.ts'
import type { TokenTags } from './token-tags.ts'

const SECRET_BYTES = 32
const SECRET = /^[A-Za-z0-9_-]{43}$/
const SECRET_CHARACTERS = 43

/**
 * Credentials of a kind of actor: a prefix, what makes the actor's id unique, a secret, and a tag. So a credential names
 * its actor, which knows the hash of the credential.
 */
export const bearerTokens = <Of extends KindTypes>(prefix: string, references: References<Of>) => ({
  /** To be handed out once. */
  make: (tags: TokenTags, ref: Ref<Of>): string => {
    const unique = ref.slice(references.prefix.length + 1)
    return tags.tagged(prefix, `${prefix}${unique}${randomBytes(SECRET_BYTES).toString('base64url')}`)
  },
  /** The actor that a text names; null for a text that we have not made, so that nothing is read for it. */
  ownerOf: (tags: TokenTags, token: string): Ref<Of> | null => {
    const text = token.startsWith(prefix) ? tags.untagged(prefix, token) : null
    if (text === null || !SECRET.test(text.slice(-SECRET_CHARACTERS))) return null
    return references.find(`${references.prefix}_${text.slice(prefix.length, -SECRET_CHARACTERS)}`)
  },
})

export const hashOfToken = (token: string): string => hash('sha256', token)

/** Takes the same time whichever character of the token is wrong. */
export const isTokenWithHash = (token: string, known: string): boolean => {
  const [shown, expected] = [Buffer.from(hashOfToken(token)), Buffer.from(known)]
  return shown.length === expected.length && timingSafeEqual(shown, expected)
}
