import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Vault } from '../ports/vault.ts'
import type { KindTypes } from '../domain/decider.ts'
import { PLATFORM } from '../domain/operators.ts'
import type { Ref, References } from '../domain/references.ts'

/** 96 bits: too many to guess over a network. */
const TAG_BYTES = 12
const TAG_CHARACTERS = 16

/**
 * What the service hands out for itself to recognise ends in a tag under a key that only its vault can make. So a
 * credential that somebody made up is refused before anything is read for it. The tag is no proof of being good still:
 * that is what the actor says whom the credential names.
 */
export class TokenTags {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  /** `purpose`: what it is good for; one that was made for something else is refused. */
  tagged(purpose: string, text: string): string {
    return text + this.#tagOf(purpose, text)
  }

  /** Without its tag; null where the tag is not ours. */
  untagged(purpose: string, token: string): string | null {
    const text = withoutTag(token)
    const [shown, right] = [Buffer.from(token.slice(text.length)), Buffer.from(this.#tagOf(purpose, text))]
    return shown.length === right.length && timingSafeEqual(shown, right) ? text : null
  }

  #tagOf(purpose: string, text: string): string {
    const digest = createHmac('sha256', this.#key).update(`${purpose}\n${text}`).digest()
    return digest.toString('base64url', 0, TAG_BYTES)
  }
}

const withoutTag = (token: string): string => token.slice(0, -TAG_CHARACTERS)

/** Every node derives the same key from the vault; a rotation of the master key leaves it as it is. */
export const openTokenTags = async (vault: Pick<Vault, 'fingerprint'>): Promise<TokenTags> =>
  new TokenTags(Buffer.from(await vault.fingerprint(PLATFORM, 'key that tags tokens'), 'base64url'))

const SECRET_BYTES = 32
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
  /** The actor that a text names, whatever stands behind the name; null for a text that names none. */
  ownerOf: (token: string): Ref<Of> | null => {
    if (!token.startsWith(prefix)) return null
    const unique = token.slice(prefix.length, -(SECRET_CHARACTERS + TAG_CHARACTERS))
    return references.find(`${references.prefix}_${unique}`)
  },
  /**
   * Whether we have made the text: asked before anything is loaded for it. Where the actor is in memory its hash says
   * more, and a keyed hash for each request would be a fifth of what reading a record costs.
   */
  isOurs: (tags: TokenTags, token: string): boolean => tags.untagged(prefix, token) !== null,
})

export const hashOfToken = (token: string): string => hash('sha256', token)

/**
 * The time that the comparison takes may tell how far two hashes agree, which says nothing of a secret of 256 bits: a
 * token that would agree further cannot be found but by trying.
 */
export const isTokenWithHash = (token: string, known: string): boolean => hashOfToken(token) === known
