import { setTimeout as pause } from 'node:timers/promises'
import { localRequest } from '../../src/cli/service-call.ts'
import { type GiveOrder, ordersBy } from '../harness/orders.ts'
import { untilFound } from '../harness/waiting.ts'

export type Json = Readonly<Record<string, unknown>>

const RETRY_MS = 200
const ANSWER_LIMIT_MS = 15_000
const PUBLISHED_LIMIT_MS = 10 * 60_000
/**
 * Statuses after which the API promises that the same call may succeed. 500 is a defect, and repeated all the same; 502 is
 * what a proxy says of a node that ended under a request.
 */
const PASSING = new Set([409, 429, 500, 502, 503])

export type TenantOptions = {
  readonly url: string
  /** The data folder of the service, whose operator gives orders. */
  readonly dataFolder?: string
  /** How long a call is repeated that fails for reasons that pass. */
  readonly patienceMs: number
  /** How long one attempt is waited for. */
  readonly answerLimitMs?: number
  readonly answered?: (what: string, answer: Json, tookMs: number) => void
  /** Hears of each answer to a GET. */
  readonly read?: (path: string, answer: Json) => void
  /** Hears of each attempt that was repeated: when it began, and the status it met, if it was answered. */
  readonly failed?: (what: string, sinceMs: number, status: number | 'no answer') => void
}

/** The backend of an organisation: repeats a call, under the same Idempotency-Key, until it is answered. */
export class Tenant {
  readonly #options: TenantOptions
  #key = ''
  id = ''
  /** How many calls were repeated, by the status that the attempt before had met. */
  readonly repeated: Record<string, number> = {}

  constructor(options: TenantOptions) {
    this.#options = options
  }

  use(id: string, key: string): void {
    this.id = id
    this.#key = key
  }

  /** The key by which it calls. */
  get key(): string {
    return this.#key
  }

  /** The same organisation, where the service listens now. */
  at(url: string): Tenant {
    const moved = new Tenant({ ...this.#options, url })
    moved.use(this.id, this.#key)
    return moved
  }

  /** The same organisation, which repeats its calls for so long. */
  withPatience(patienceMs: number): Tenant {
    const other = new Tenant({ ...this.#options, patienceMs })
    other.use(this.id, this.#key)
    return other
  }

  async get(path: string): Promise<Json> {
    const answer = await this.#call(path, { headers: this.#headers() })
    this.#options.read?.(path, answer)
    return answer
  }

  async post(path: string, body: Json, idempotencyKey: string): Promise<Json> {
    const startedMs = performance.now()
    const headers = {
      ...this.#headers(),
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey,
    }
    const answer = await this.#call(path, { method: 'POST', headers, body: JSON.stringify(body) })
    this.#options.answered?.(`POST ${path}`, answer, performance.now() - startedMs)
    return answer
  }

  /** What the app of a new installation asks for at its first launch, with the token that its organisation gave it. */
  async mediatorInvitation(installationId: string): Promise<string> {
    const { walletToken } = await this.post('/v1/wallets', {}, installationId)
    const headers = { Authorization: `Bearer ${String(walletToken)}` }
    const { invitationUrl } = await this.#call('/v1/wallet/mediator-invitation', { headers })
    return String(invitationUrl)
  }

  /** An order of the operator, whose token changes with each start of the service. */
  readonly order: GiveOrder = ordersBy((...asked) =>
    this.#untilAnswered(`${asked[0]} ${asked[1]}`, async () => {
      const request = localRequest(this.#options.dataFolder ?? '', ...asked)
      if (request === null) throw new Error('no service has been started')
      return this.#send(request)
    }),
  )

  async published(show: string, id: unknown): Promise<Json> {
    const look = async (): Promise<Json | null> => {
      const found = await this.order(show, { tenant: this.id, id: String(id) })
      if (found['status'] === 'failed') throw new Error(`${String(id)}: ${String(found['lastError'])}`)
      return found['status'] === 'published' ? found : null
    }
    const otherwise = () => new Error(`${String(id)} was not published`)
    return untilFound(look, { limitMs: PUBLISHED_LIMIT_MS, everyMs: RETRY_MS, otherwise })
  }

  /** What a wallet must know of the ledger. */
  async network(): Promise<{ readonly indyNamespace: string; readonly genesis: string }> {
    const ledger = await this.get('/v1/ledger')
    const { url } = ledger['genesis'] as { url: string }
    return { indyNamespace: String(ledger['indyNamespace']), genesis: await (await fetch(url)).text() }
  }

  #headers(): Record<string, string> {
    return { Authorization: `Bearer ${this.#key}` }
  }

  #call(path: string, request: RequestInit): Promise<Json> {
    return this.#untilAnswered(`${request.method ?? 'GET'} ${path}`, () =>
      this.#send(new Request(`${this.#options.url}${path}`, request)),
    )
  }

  async #untilAnswered(what: string, attempt: () => Promise<Json>): Promise<Json> {
    const startedMs = performance.now()
    for (;;) {
      const attemptedMs = Date.now()
      try {
        return await attempt()
      } catch (error) {
        const status = error instanceof Refused ? error.status : 'no answer'
        const passes = typeof status === 'string' || PASSING.has(status)
        if (passes) this.repeated[status] = (this.repeated[status] ?? 0) + 1
        if (passes) this.#options.failed?.(what, attemptedMs, status)
        if (!passes || performance.now() - startedMs > this.#options.patienceMs) throw error
        await pause(RETRY_MS)
      }
    }
  }

  async #send(request: Request): Promise<Json> {
    const { answerLimitMs = ANSWER_LIMIT_MS } = this.#options
    const response = await fetch(request, { signal: AbortSignal.timeout(answerLimitMs) })
    const text = await response.text()
    if (response.ok) return JSON.parse(text) as Json
    const what = `${request.method} ${new URL(request.url).pathname}`
    throw new Refused(response.status, `${what} was answered ${response.status}: ${text}`)
  }
}

class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
