import type { CredentialInput } from '../../src/ports/anoncreds.ts'
import { CryptoPool } from '../../src/anoncreds/crypto-pool.ts'
import type { CryptoAnswer, CryptoTask } from '../../src/anoncreds/crypto-task.ts'

const TABLE_BYTES_MAX = 512 * 2 ** 20
const WAITING_MAX = 2_000
const DRAWN_AT_ONCE = 250
/** Between so many signatures a thread makes some primes ahead, so that both ways to a prime are drawn from. */
const SIGNATURES_PER_FILL = 16
const PRIMES_PER_FILL = 8

/** The own engine on worker threads, as the service runs it; no prime may ever come twice. */
export class Issuers implements AsyncDisposable {
  readonly #pool: CryptoPool
  readonly #primes = new Set<string>()
  #signed = 0

  constructor(threads: number) {
    this.#pool = new CryptoPool({
      engine: 'native',
      workers: threads,
      queueMax: WAITING_MAX,
      tableBytesMax: TABLE_BYTES_MAX,
    })
  }

  get distinctPrimes(): number {
    return this.#primes.size
  }

  /** All at once; throws where two credentials were signed with the same prime. */
  async sign(inputs: readonly CredentialInput[]): Promise<string[]> {
    return await Promise.all(inputs.map((input) => this.#sign(input)))
  }

  /** Signs the same input a number of times. */
  async draw(count: number, input: CredentialInput): Promise<void> {
    for (let done = 0; done < count; done += DRAWN_AT_ONCE)
      await this.sign(Array.from({ length: Math.min(DRAWN_AT_ONCE, count - done) }, () => input))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]()
  }

  async #sign(input: CredentialInput): Promise<string> {
    this.#signed += 1
    const filled = this.#signed % SIGNATURES_PER_FILL === 0
    const [answer] = await Promise.all([
      this.#run({ kind: 'issue', input }),
      ...(filled ? [this.#run({ kind: 'fill', count: PRIMES_PER_FILL })] : []),
    ])
    if (answer.kind !== 'issued') throw new Error(`nothing was signed: ${JSON.stringify(answer)}`)
    const credential = answer.outcome.value
    this.#remember(primeOf(credential))
    return credential
  }

  #remember(prime: string): void {
    if (this.#primes.has(prime)) throw new Error(`the prime ${prime} was handed out twice`)
    this.#primes.add(prime)
  }

  #run(task: CryptoTask): Promise<CryptoAnswer> {
    return this.#pool.run('campaign', task)
  }
}

const primeOf = (credential: string): string => {
  const { signature } = JSON.parse(credential) as { signature: { p_credential: { e: string } } }
  return signature.p_credential.e
}
