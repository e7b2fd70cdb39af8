import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { AnonCredsUnavailable } from '../ports/anoncreds.ts'
import type { CryptoAnswer, CryptoTask, CryptoWorkerStart } from './crypto-task.ts'
import { FairQueue } from './fair-queue.ts'

type Waiting = {
  readonly task: CryptoTask
  readonly began: () => void
  readonly resolve: (answer: CryptoAnswer) => void
  readonly reject: (error: Error) => void
}

export type CryptoPoolSettings = CryptoWorkerStart & { readonly workers: number; readonly queueMax: number }

// Few at a time, so that a task that comes meanwhile waits a few milliseconds at most.
const PRIMES_PER_FILL = 4
const PRIMES_WANTED = 128

/**
 * Threads that sign and verify, fed in turn from the queues of the tenants; idle threads generate primes in advance.
 */
export class CryptoPool implements AsyncDisposable {
  readonly #piscina: Piscina<CryptoTask, CryptoAnswer>
  readonly #queue: FairQueue<Waiting>
  readonly #workers: number
  readonly #onFilled: (answer: Extract<CryptoAnswer, { kind: 'filled' }>) => void
  #running = 0
  #filling = false
  #primes: number
  #closing = false

  constructor(
    settings: CryptoPoolSettings,
    onFilled: (answer: Extract<CryptoAnswer, { kind: 'filled' }>) => void = () => undefined,
  ) {
    const { workers, queueMax, ...start } = settings
    this.#workers = workers
    this.#queue = new FairQueue(queueMax)
    this.#onFilled = onFilled
    this.#primes = start.engine === 'library' ? PRIMES_WANTED : 0
    this.#piscina = new Piscina<CryptoTask, CryptoAnswer>({
      name: 'run',
      filename: fileURLToPath(new URL('./crypto-worker.ts', import.meta.url)),
      minThreads: workers,
      maxThreads: workers,
      workerData: start,
    })
    // A thread that dies fails its task and is replaced; without a listener its error would end the process.
    this.#piscina.on('error', () => undefined)
  }

  get waiting(): number {
    return this.#queue.waiting
  }

  /** `began` is called when a thread takes the task on. */
  async run(tenantId: string, task: CryptoTask, began: () => void = () => undefined): Promise<CryptoAnswer> {
    if (this.#closing) throw new AnonCredsUnavailable('the signature engine is closing')
    return await new Promise<CryptoAnswer>((resolve, reject) => {
      this.#queue.push(tenantId, { task, began, resolve, reject })
      this.#startNext()
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true
    for (const waiting of this.#queue.drain()) {
      waiting.reject(new AnonCredsUnavailable('the signature engine is closing'))
    }
    await this.#piscina.close({ force: false })
  }

  #startNext(): void {
    while (this.#running < this.#workers) {
      const next = this.#queue.shift()
      if (!next) break
      if (next.task.kind === 'issue') this.#primes -= 1
      this.#running += 1
      void this.#execute(next)
    }
    this.#fillWhenIdle()
  }

  async #execute({ task, began, resolve, reject }: Waiting): Promise<void> {
    began()
    try {
      resolve(await this.#piscina.run(task))
    } catch (error) {
      reject(new AnonCredsUnavailable('a signature thread stopped', { cause: error }))
    } finally {
      this.#running -= 1
      this.#startNext()
    }
  }

  #fillWhenIdle(): void {
    const idle = this.#running < this.#workers && this.#queue.waiting === 0
    if (!idle || this.#filling || this.#closing || this.#primes >= PRIMES_WANTED) return
    this.#filling = true
    this.#running += 1
    void this.#fill()
  }

  async #fill(): Promise<void> {
    try {
      const answer = await this.#piscina.run({ kind: 'fill', count: PRIMES_PER_FILL })
      // Without the own engine there is nothing to fill, and asking again is pointless.
      this.#primes = answer.kind === 'filled' && answer.waiting > 0 ? answer.waiting : PRIMES_WANTED
      if (answer.kind === 'filled') this.#onFilled(answer)
    } catch {
      this.#primes = PRIMES_WANTED
    } finally {
      this.#filling = false
      this.#running -= 1
      this.#startNext()
    }
  }
}
