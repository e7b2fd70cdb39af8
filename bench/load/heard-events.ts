export type WebhookBody = {
  readonly id: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>> & {
    readonly id: string
    readonly state: string
    readonly externalId: string | null
  }
}

type Heard = {
  readonly sequences: Set<number>
  last: { readonly sequence: number; readonly data: WebhookBody['data'] } | null
  wake: (() => void) | null
}

const OVER = new Set(['done', 'completed', 'declined', 'abandoned'])

/** What a tenant heard by webhook: a record has ended when its last event and all before it were heard. */
export class HeardEvents {
  readonly #records = new Map<string, Heard>()
  readonly #connections = new Map<string, string>()
  readonly #asking = new Map<string, (id: string) => void>()
  count = 0
  refused = 0

  add({ id, type, data }: WebhookBody): void {
    // It tells of a wallet, not of a record that has an end.
    if (type === 'wallet.sync_requested') return void (this.count += 1)
    const record = this.#record(data.id)
    const sequence = Number(id.slice(id.lastIndexOf('_') + 1))
    if (record.sequences.has(sequence)) return
    record.sequences.add(sequence)
    this.count += 1
    if (OVER.has(data.state)) record.last = { sequence, data }
    if (type === 'connection.state_changed' && data.externalId !== null) {
      this.#connections.set(data.externalId, data.id)
      this.#asking.get(data.externalId)?.(data.id)
    }
    if (record.last !== null && record.sequences.size === record.last.sequence) record.wake?.()
  }

  async connectionOf(externalId: string, waitMs: number): Promise<string> {
    const known = this.#connections.get(externalId)
    if (known !== undefined) return known
    return await this.#within(waitMs, `a connection for ${externalId}`, (resolve) => {
      this.#asking.set(externalId, resolve)
    })
  }

  /** The data of the last event. */
  async ended(id: string, state: string, waitMs: number): Promise<WebhookBody['data']> {
    const record = this.#record(id)
    if (record.last === null || record.sequences.size !== record.last.sequence) {
      await this.#within<void>(waitMs, `the end of ${id}`, (resolve) => {
        record.wake = resolve
      })
    }
    const data = record.last?.data
    if (data?.state !== state) throw new Error(`${id} ended ${data?.state}: ${JSON.stringify(data)}`)
    return data
  }

  clear(): void {
    this.count = 0
    this.#records.clear()
    this.#connections.clear()
    this.#asking.clear()
  }

  #record(id: string): Heard {
    const known = this.#records.get(id)
    if (known) return known
    const made: Heard = { sequences: new Set(), last: null, wake: null }
    this.#records.set(id, made)
    return made
  }

  async #within<Value>(
    waitMs: number,
    what: string,
    start: (resolve: (value: Value) => void) => void,
  ): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    const timer = setTimeout(() => reject(new Error(`never heard of ${what}`)), waitMs)
    try {
      start(resolve)
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }
}
