import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { hash, verify } from '@node-rs/argon2'
import { AskFailed } from '../../ports/actors.ts'

/** OWASP's first choice for argon2id, which is the library's default algorithm: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const RETRY_MS = 1_000
/** Longer than an attempt on an account is committed on most disks. */
const STEP_MS = 25

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
 * files and names; only so many waiting, because a caller who sends passwords must not fill our memory.
 */
export class Passwords {
  readonly #atOnceMax: number
  readonly #cost: typeof COST
  readonly #waitingMax: number
  readonly #stepMs: number
  readonly #waiting: (() => void)[] = []
  #running = 0
  /** Of no password at all; there from the start, so that none has to be made while others are waiting. */
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

  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(password, this.#cost))
  }

  /** Takes as long for an account that does not exist (null), so that the time tells nothing. */
  async verify(hashed: string | null, password: string): Promise<boolean> {
    const isRight = await this.#inTurn(() => verify(hashed ?? this.#decoy, password))
    return isRight && hashed !== null
  }

  /** The answer comes at the end of a step, which hides what else is done for an account that exists. */
  async inSteps<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const begunMs = performance.now()
    const answer = await work()
    if (this.#stepMs > 0) await sleep(this.#stepMs - ((performance.now() - begunMs) % this.#stepMs))
    return answer
  }

  async #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#running >= this.#atOnceMax) {
      if (this.#waiting.length >= this.#waitingMax)
        throw new AskFailed('overloaded', 'too many passwords are being checked', RETRY_MS)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#running += 1
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}
