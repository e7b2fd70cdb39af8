import { randomBytes } from 'node:crypto'
import type { VendorClock } from '../wire/vendor-clock.ts'
import { parsePolicy, type PolicyDocument, type PolicySort } from './iam/policy-document.ts'

export type AwsUser = {
  readonly name: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Documents as they are written in the console. */
  readonly policies: readonly unknown[]
}

export type AwsRole = {
  readonly name: string
  readonly trust: unknown
  readonly policies: readonly unknown[]
  /** One hour to twelve; one where none is set. */
  readonly maxSessionSeconds?: number
}

export type AwsAccount = {
  /** Twelve digits. */
  readonly id: string
  readonly users: readonly AwsUser[]
  readonly roles: readonly AwsRole[]
}

/** On whose behalf a request is judged. */
export type Principal = {
  readonly account: string
  readonly arn: string
  readonly policies: readonly PolicyDocument[]
  readonly sessionPolicy: PolicyDocument | null
}

export type Key = {
  readonly secret: string
  /** Of temporary credentials, which are none without it. */
  readonly token: string | null
  readonly expiresMs: number | null
  readonly principal: Principal
}

export type Role = {
  readonly account: string
  readonly name: string
  readonly trust: PolicyDocument
  readonly policies: readonly PolicyDocument[]
  readonly maxSessionSeconds: number
}

type TemporaryKey = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string
  /** By the clock on the wall. */
  readonly expiresAtMs: number
}

const HOUR_SECONDS = 3_600

/** Who has which keys, and which roles there are. */
export class Accounts {
  readonly #clock: VendorClock
  readonly #keys = new Map<string, Key>()
  readonly #roles = new Map<string, Role>()

  constructor(clock: VendorClock) {
    this.#clock = clock
  }

  /** Instead of what was known of this account; its temporary credentials end too. */
  put({ id, users, roles }: AwsAccount): void {
    const known = { account: id }
    const made = users.map((user) => [user.accessKeyId, keyOf(known, user)] as const)
    const named = roles.map((role) => [`arn:aws:iam::${id}:role/${role.name}`, roleOf(known, role)] as const)
    for (const [keyId, { principal }] of this.#keys) if (principal.account === id) this.#keys.delete(keyId)
    for (const [arn, { account }] of this.#roles) if (account === id) this.#roles.delete(arn)
    for (const [keyId, key] of made) this.#keys.set(keyId, key)
    for (const [arn, role] of named) this.#roles.set(arn, role)
  }

  key(accessKeyId: string): Key | undefined {
    return this.#keys.get(accessKeyId)
  }

  role(arn: string): Role | undefined {
    return this.#roles.get(arn)
  }

  isExpired({ expiresMs }: Key): boolean {
    return expiresMs !== null && expiresMs <= this.#clock.lifeMs
  }

  /** Credentials for a while, with what the role may do and no more than the policy of the session. */
  lend(principal: Principal, seconds: number): TemporaryKey {
    const accessKeyId = `ASIA${code(16)}`
    const secretAccessKey = randomBytes(30).toString('base64')
    const sessionToken = randomBytes(120).toString('base64')
    const expiresMs = this.#clock.lifeMs + seconds * 1_000
    this.#keys.set(accessKeyId, { secret: secretAccessKey, token: sessionToken, expiresMs, principal })
    return { accessKeyId, secretAccessKey, sessionToken, expiresAtMs: this.#clock.wallMs + seconds * 1_000 }
  }
}

const CODE_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Letters as AWS uses them in ids. */
export const code = (length: number): string =>
  [...randomBytes(length)].map((byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join('')

const keyOf = ({ account }: { account: string }, user: AwsUser): Key => ({
  secret: user.secretAccessKey,
  token: null,
  expiresMs: null,
  principal: {
    account,
    arn: `arn:aws:iam::${account}:user/${user.name}`,
    policies: user.policies.map((each) => understood(each, 'identity')),
    sessionPolicy: null,
  },
})

const roleOf = ({ account }: { account: string }, role: AwsRole): Role => ({
  account,
  name: role.name,
  trust: understood(role.trust, 'trust'),
  policies: role.policies.map((each) => understood(each, 'identity')),
  maxSessionSeconds: role.maxSessionSeconds ?? HOUR_SECONDS,
})

/** A policy that is only half understood would allow or deny something else than AWS does. */
function understood(document: unknown, sort: PolicySort): PolicyDocument {
  const policy = parsePolicy(document, sort)
  if (typeof policy === 'string') throw new Error(`a policy cannot be judged: ${policy}`)
  return policy
}
