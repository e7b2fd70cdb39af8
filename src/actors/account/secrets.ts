import { createHash, randomBytes, randomInt } from 'node:crypto'
import { ACCOUNT } from './kind.ts'
import { kindOf, shardOf } from '../../domain/shards.ts'
import { limits } from '../../domain/limits.ts'

/** A text that names an account and proves something about it; only the hash of its second half is kept. */
export type AccountToken = { readonly token: string; readonly hash: string }

const SECRET = /^[A-Za-z0-9_-]{43}$/

export const newAccountToken = (account: string): AccountToken => {
  const secret = randomBytes(32).toString('base64url')
  return { token: `${account}.${secret}`, hash: hashOf(secret) }
}

/** Null for a text that cannot be one, so that nothing is asked for it. */
export const readAccountToken = (
  token: string,
): { readonly account: string; readonly hash: string } | null => {
  const [account = '', secret = '', ...more] = token.split('.')
  if (more.length > 0 || !SECRET.test(secret) || !isAccountId(account)) return null
  return { account, hash: hashOf(secret) }
}

export const isAccountId = (text: string): boolean => shardOf(text) !== null && kindOf(text) === ACCOUNT

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
