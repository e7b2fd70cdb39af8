import { AnonCredsOverloaded } from '../ports/anoncreds.ts'

/** How many may come into a round that has begun: the rest of it must come to an end. */
const NEWCOMERS_MAX = 16

/**
 * The waiting work of all tenants: bounded, and each tenant gets one turn in a round however much work another has
 * waiting. A tenant that comes while a round goes on, and had no turn in it yet, gets one still.
 */
export class FairQueue<Item> {
  readonly #waitingMax: number
  readonly #perTenantMax: number
  #round = new Map<string, Item[]>()
  #nextRound = new Map<string, Item[]>()
  readonly #served = new Set<string>()
  #newcomers = 0
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
    const known = this.#round.get(tenantId) ?? this.#nextRound.get(tenantId)
    const queue = known ?? []
    if (this.#waiting >= this.#waitingMax || queue.length >= this.#perTenantMax)
      throw new AnonCredsOverloaded()
    queue.push(item)
    this.#waiting += 1
    if (known === undefined) this.#join(tenantId, queue)
  }

  /** Takes the oldest item of the tenant whose turn it is; the rest of that tenant's comes in the next round. */
  shift(): Item | undefined {
    if (this.#round.size === 0) this.#beginRound()
    const next = this.#round.entries().next()
    if (next.done) return undefined
    const [tenantId, queue] = next.value
    const item = queue.shift()
    this.#round.delete(tenantId)
    this.#served.add(tenantId)
    if (queue.length > 0) this.#nextRound.set(tenantId, queue)
    this.#waiting -= 1
    return item
  }

  /** Empties the queue and returns its items in turn. */
  drain(): Item[] {
    const items = [...this.#round.values(), ...this.#nextRound.values()].flat()
    this.#round.clear()
    this.#nextRound.clear()
    this.#waiting = 0
    return items
  }

  #join(tenantId: string, queue: Item[]): void {
    const isLate = this.#served.has(tenantId) || this.#newcomers >= NEWCOMERS_MAX
    if (isLate) {
      this.#nextRound.set(tenantId, queue)
      return
    }
    this.#newcomers++
    this.#round.set(tenantId, queue)
  }

  #beginRound(): void {
    const ended = this.#round
    this.#round = this.#nextRound
    this.#nextRound = ended
    this.#served.clear()
    this.#newcomers = 0
  }
}
