import { createHash, randomBytes, randomInt } from 'node:crypto'
import { limits } from '../../domain/limits.ts'
import type { Ref } from '../../domain/references.ts'
import type { TokenTags } from '../tokens.ts'
import { account, type AccountTypes } from './state.ts'

/** A text that names an account and proves something about it; only the hash of its secret is kept. */
export type AccountToken = { readonly token: string; readonly hash: string }

export type AccountTokenPurpose = 'session' | 'sign-in' | 'invitation'

const SECRET = /^[A-Za-z0-9_-]{43}$/

export const newAccountToken = (
  tags: TokenTags,
  purpose: AccountTokenPurpose,
  accountId: string,
): AccountToken => {
  const secret = randomBytes(32).toString('base64url')
  return { token: tags.tagged(purpose, `${accountId}.${secret}`), hash: hashOf(secret) }
}

/** Null for a text that we have not made for this, so that nothing is asked for it. */
export const readAccountToken = (
  tags: TokenTags,
  purpose: AccountTokenPurpose,
  token: string,
): { readonly account: Ref<AccountTypes>; readonly hash: string } | null => {
  const [id = '', secret = '', ...more] = (tags.untagged(purpose, token) ?? '').split('.')
  const found = account.find(id)
  return more.length > 0 || !SECRET.test(secret) || found === null
    ? null
    : { account: found, hash: hashOf(secret) }
}

/** 79 bits each, from letters and digits that are not taken for each other. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: limits.recoveryCodes }, () =>
    Array.from({ length: 4 }, () =>
      Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
    ).join('-'),
  )

/** However it is typed. */
export const hashOfRecoveryCode = (code: string): string =>
  hashOf(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))

const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
