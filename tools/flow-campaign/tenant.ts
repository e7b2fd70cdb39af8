import { setTimeout as pause } from 'node:timers/promises'
import { localRequest } from '../../src/cli/service-call.ts'
import { type GiveOrder, ordersBy } from '../harness/orders.ts'

export type Json = Readonly<Record<string, unknown>>

const RETRY_MS = 200
const ANSWER_LIMIT_MS = 15_000
const TRIES_LIMIT_MS = 10 * 60_000
/** What passes, as the API says; 500 is a defect, and repeated all the same. */
const PASSING = new Set([409, 429, 500, 503])

/** A backend that repeats a call, under the same Idempotency-Key, until it is answered. */
export class Tenant {
  readonly #url: string
  readonly #folder: string
  #key = ''
  id = ''
  /** Calls that were repeated, by what the attempt before had met. */
  readonly repeated: Record<string, number> = {}

  constructor(url: string, dataFolder: string) {
    this.#url = url
    this.#folder = dataFolder
  }

  use(id: string, key: string): void {
    this.id = id
    this.#key = key
  }

  get(path: string): Promise<Json> {
    return this.#call(`${this.#url}${path}`, { headers: this.#headers() })
  }

  post(path: string, body: Json, idempotencyKey: string): Promise<Json> {
    const headers = {
      ...this.#headers(),
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey,
    }
    return this.#call(`${this.#url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  /** Of the operator, whose token is another one after each start. */
  readonly order: GiveOrder = ordersBy((...asked) =>
    this.#until(async () => {
      const request = localRequest(this.#folder, ...asked)
      if (request === null) throw new Error('no service has been started')
      return this.#once(request)
    }),
  )

  async text(url: string): Promise<string> {
    return (await fetch(url)).text()
  }

  async published(show: string, id: unknown): Promise<Json> {
    for (;;) {
      const found = await this.order(show, { tenant: this.id, id: String(id) })
      if (found['status'] === 'published') return found
      if (found['status'] === 'failed') throw new Error(`${String(id)}: ${String(found['lastError'])}`)
      await pause(RETRY_MS)
    }
  }

  #headers(): Record<string, string> {
    return { Authorization: `Bearer ${this.#key}` }
  }

  #call(url: string, request: RequestInit): Promise<Json> {
    return this.#until(() => this.#once(new Request(url, request)))
  }

  async #until(attempt: () => Promise<Json | number>): Promise<Json> {
    const startedMs = performance.now()
    for (;;) {
      let met: string
      try {
        const answer = await attempt()
        if (typeof answer !== 'number') return answer
        met = String(answer)
      } catch (error) {
        if (error instanceof Refused) throw error
        met = 'no answer'
      }
      this.repeated[met] = (this.repeated[met] ?? 0) + 1
      if (performance.now() - startedMs > TRIES_LIMIT_MS) throw new Error(`never answered: ${met}`)
      await pause(RETRY_MS)
    }
  }

  /** A number: the status of an answer that passes. */
  async #once(request: Request): Promise<Json | number> {
    const response = await fetch(request, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
    const text = await response.text()
    if (response.ok) return JSON.parse(text) as Json
    if (PASSING.has(response.status)) return response.status
    const { pathname } = new URL(request.url)
    throw new Refused(`${request.method} ${pathname}: ${response.status} ${text}`)
  }
}

class Refused extends Error {}
