import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { hash, verify } from '@node-rs/argon2'
import { networksOf } from '../../http/server/address.ts'
import { AskFailed } from '../../ports/actors.ts'

/** OWASP's first choice for argon2id, which is the library's default algorithm: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const RETRY_MS = 1_000
/** Longer than an attempt on an account is committed on most disks. */
const STEP_MS = 25

/** For whom a password is hashed: somebody whom something of ours names, or a stranger from somewhere. */
export type Asker = {
  readonly isKnown: boolean
  /** What shares of the waiting places are counted for, the narrowest first. */
  readonly shares: readonly string[]
}

/** Who shows the cookie of a device, a session or an invitation of this account. */
export const knownAsker = (accountId: string): Asker => ({ isKnown: true, shares: [accountId] })
export const stranger = (networkAddress: string): Asker => ({
  isKnown: false,
  shares: networksOf(networkAddress),
})

/** How many may wait of one network, and of the wider networks around it. */
const SHARES_MAX = [2, 4, 8]

/** Turned away before a password was looked at. */
export const isTurnedAway = (error: unknown): boolean =>
  error instanceof AskFailed && error.code === 'overloaded'

export type PasswordCheckLimits = {
  readonly atOnceMax?: number
  readonly waitingMax?: number
  readonly cost?: typeof COST
  readonly stepMs?: number
}

export const openPasswords = async (settings: PasswordCheckLimits = {}): Promise<Passwords> =>
  new Passwords(await hash(randomBytes(32), settings.cost ?? COST), settings)

/**
 * Argon2id runs on the thread pool of Node, never on the main thread. Only so many at once, because the pool also serves
 * files and names; only so many waiting, because a caller who sends passwords must not fill our memory. Strangers and
 * those who are known have as many places each, and of one network or account only a few may wait, so that strangers
 * from many networks do not keep those out who have signed in before.
 */
export class Passwords {
  readonly #atOnceMax: number
  readonly #cost: typeof COST
  readonly #waitingMax: number
  readonly #stepMs: number
  readonly #waiting: (Asker & { readonly begin: () => void })[] = []
  #running = 0
  /** The hash of no password at all; there from the start, so that none has to be made while others are waiting. */
  readonly #decoy: string

  constructor(
    decoy: string,
    { atOnceMax = 2, waitingMax = 32, cost = COST, stepMs = STEP_MS }: PasswordCheckLimits = {},
  ) {
    this.#decoy = decoy
    this.#cost = cost
    this.#atOnceMax = atOnceMax
    this.#waitingMax = waitingMax
    this.#stepMs = stepMs
  }

  hash(password: string, asker: Asker): Promise<string> {
    return this.#inTurn(asker, () => hash(password, this.#cost))
  }

  /** Takes as long for an account that does not exist (null), so that the time tells nothing. */
  async verify(hashed: string | null, password: string, asker: Asker): Promise<boolean> {
    const isRight = await this.#inTurn(asker, () => verify(hashed ?? this.#decoy, password))
    return isRight && hashed !== null
  }

  /** The answer comes at the end of a step, which hides what else is done for an account that exists. */
  async inSteps<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const begunMs = performance.now()
    const answer = await work()
    if (this.#stepMs > 0) await sleep(this.#stepMs - ((performance.now() - begunMs) % this.#stepMs))
    return answer
  }

  async #inTurn<Value>(asker: Asker, work: () => Promise<Value>): Promise<Value> {
    if (this.#running >= this.#atOnceMax) {
      if (!this.#hasPlace(asker))
        throw new AskFailed('overloaded', 'too many passwords are being checked', RETRY_MS)
      await new Promise<void>((begin) => this.#waiting.push({ ...asker, begin }))
    } else this.#running += 1
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next.begin()
    }
  }

  #hasPlace({ isKnown, shares }: Asker): boolean {
    const alike = this.#waiting.filter((each) => each.isKnown === isKnown)
    const isWithinShare = (share: string, width: number) =>
      alike.filter((each) => each.shares.includes(share)).length < (SHARES_MAX[width] ?? 0)
    return alike.length < this.#waitingMax && shares.every(isWithinShare)
  }
}
