import type {
  Change,
  Clock,
  Network,
  NetworkAnswer,
  NetworkRequest,
  OpenStorage,
  Row,
  SecureKeys,
  WalletStorage,
} from '../../sdk/core/ports.ts'

/** A storage of the test's own: what is written stays when it is closed, and writing can be made to fail. */
export class MemoryStorage implements WalletStorage {
  readonly name = 'wallet'
  readonly rows = new Map<string, Row>()
  writes = 0
  fails: 'never' | 'before' | 'after' = 'never'

  async open(): Promise<OpenStorage> {
    return {
      readAll: async () => [...this.rows.values()],
      write: async (changes) => this.#write(changes),
      close: async () => undefined,
    }
  }

  async erase(): Promise<void> {
    this.rows.clear()
  }

  #write(changes: readonly Change[]): void {
    if (this.fails === 'before') throw new Error('the disk is full')
    this.writes += 1
    for (const { kind, id, content } of changes) {
      if (content === null) this.rows.delete(`${kind}\n${id}`)
      else this.rows.set(`${kind}\n${id}`, { kind, id, content: Uint8Array.from(content) })
    }
    if (this.fails === 'after') throw new Error('the power is gone')
  }
}

export class MemoryKeys implements SecureKeys {
  readonly keys = new Map<string, Uint8Array>()

  async read(name: string): Promise<Uint8Array | null> {
    return this.keys.get(name) ?? null
  }

  async write(name: string, key: Uint8Array): Promise<void> {
    this.keys.set(name, Uint8Array.from(key))
  }

  async remove(name: string): Promise<void> {
    this.keys.delete(name)
  }
}

type Asked = NetworkRequest & { readonly url: string }

/** A network in which `answer` stands for everybody. */
export class ScriptedNetwork implements Network {
  readonly asked: Asked[] = []
  online = true
  answer: (asked: Asked) => Partial<NetworkAnswer> | Error

  constructor(answer: ScriptedNetwork['answer']) {
    this.answer = answer
  }

  async ask(url: string, request: NetworkRequest): Promise<NetworkAnswer> {
    const asked = { ...request, url }
    this.asked.push(asked)
    const answer = this.answer(asked)
    if (answer instanceof Error) throw answer
    return { status: 200, url, retryAfter: null, body: new Uint8Array(), ...answer }
  }

  async isOnline(): Promise<boolean> {
    return this.online
  }
}

/** Time that stands still until it is moved. */
export class SteppedClock implements Clock {
  #now = 0
  readonly #timers = new Set<{ readonly at: number; readonly work: () => void }>()

  now(): number {
    return this.#now
  }

  after(ms: number, work: () => void): () => void {
    const timer = { at: this.#now + ms, work }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** What was begun is over when it comes back. */
  async pass(ms: number): Promise<void> {
    this.#now += ms
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.#now)) {
      this.#timers.delete(timer)
      timer.work()
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
}

export const jsonBody = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
