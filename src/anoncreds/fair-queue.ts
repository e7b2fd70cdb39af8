import { AnonCredsOverloaded } from '../ports/anoncreds.ts'

/** The waiting work of all tenants: bounded, and each tenant gets its turn however much work another has waiting. */
export class FairQueue<Item> {
  readonly #waitingMax: number
  readonly #perTenantMax: number
  readonly #queues = new Map<string, Item[]>()
  #waiting = 0

  /** A single tenant may fill half of the queue. */
  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax
    this.#perTenantMax = Math.max(1, Math.ceil(waitingMax / 2))
  }

  get waiting(): number {
    return this.#waiting
  }

  push(tenantId: string, item: Item): void {
    const queue = this.#queues.get(tenantId) ?? []
    if (this.#waiting >= this.#waitingMax || queue.length >= this.#perTenantMax)
      throw new AnonCredsOverloaded()
    queue.push(item)
    this.#queues.set(tenantId, queue)
    this.#waiting += 1
  }

  /** Takes the oldest item of the tenant whose turn it is; that tenant moves to the end of the line. */
  shift(): Item | undefined {
    const next = this.#queues.entries().next()
    if (next.done) return undefined
    const [tenantId, queue] = next.value
    const item = queue.shift()
    this.#queues.delete(tenantId)
    if (queue.length > 0) this.#queues.set(tenantId, queue)
    this.#waiting -= 1
    return item
  }

  /** Empties the queue and returns its items in turn. */
  drain(): Item[] {
    const items = [...this.#queues.values()].flat()
    this.#queues.clear()
    this.#waiting = 0
    return items
  }
}
