import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ordersTo } from '../../../../tools/harness/orders.ts'

const LOOK_MS = 20

type Sealed = {
  readonly apiKey: string
  readonly idempotencyKey: string
  readonly alias: string
  readonly url: string
}

/**
 * Callers who never stop: one makes invitations, whose keys and aliases are sealed, one has earlier ones recalled, which
 * opens them, and one founds organisations, each of which needs a key under the master key.
 */
export class SealedLoad {
  readonly failures: string[] = []
  readonly #url: string
  readonly #dataFolder: string
  readonly #made: Sealed[] = []
  #answers = 0
  #stopped = false
  #callers: readonly Promise<void>[] = []

  constructor(url: string, dataFolder: string) {
    this.#url = url
    this.#dataFolder = dataFolder
  }

  get answers(): number {
    return this.#answers
  }

  get made(): number {
    return this.#made.length
  }

  async start(): Promise<void> {
    const apiKey = await this.#found()
    await this.#invite(apiKey)
    this.#callers = [
      this.#repeat(() => this.#invite(apiKey)),
      this.#repeat(() => this.#recallAny()),
      this.#repeat(async () => this.#invite(await this.#found())),
    ]
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#callers)
  }

  /** All that was ever made, once more. */
  async recallAll(): Promise<void> {
    for (const sealed of this.#made) await this.#noting(() => this.#recall(sealed))
  }

  async #repeat(call: () => Promise<void>): Promise<void> {
    while (!this.#stopped && this.failures.length === 0) await this.#noting(call)
  }

  async #noting(call: () => Promise<void>): Promise<void> {
    try {
      await call()
      this.#answers++
    } catch (error) {
      this.failures.push(String(error))
    }
  }

  async #invite(apiKey: string): Promise<void> {
    const unsent = { apiKey, idempotencyKey: randomUUID(), alias: `Desk ${randomUUID()}` }
    this.#made.push({ ...unsent, url: await this.#invitationUrl(unsent) })
  }

  async #recallAny(): Promise<void> {
    const sealed = this.#made[Math.floor(Math.random() * this.#made.length)]
    if (sealed === undefined) throw new Error('nothing was made')
    await this.#recall(sealed)
  }

  async #recall(sealed: Sealed): Promise<void> {
    const url = await this.#invitationUrl(sealed)
    if (url !== sealed.url) throw new Error(`recalled as ${url} instead of ${sealed.url}`)
  }

  /** A new organisation's API key, once the organisation is on the ledger. */
  async #found(): Promise<string> {
    const order = ordersTo(this.#dataFolder)
    const { id } = await order('tenant create', { name: 'Registry' })
    const { key } = await order('key create', { tenant: id, label: 'load' })
    while ((await order('tenant show', { tenant: id }))['registered'] !== true) await pause(LOOK_MS)
    return String(key)
  }

  async #invitationUrl({ apiKey, idempotencyKey, alias }: Omit<Sealed, 'url'>): Promise<string> {
    const response = await fetch(`${this.#url}/v1/connections/invitations`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotencyKey,
      },
      body: JSON.stringify({ alias }),
    })
    const text = await response.text()
    if (response.status !== 201) throw new Error(`answered ${response.status}: ${text}`)
    return (JSON.parse(text) as { invitationUrl: string }).invitationUrl
  }
}
