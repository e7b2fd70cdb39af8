import { AskFailed } from '../../ports/actors.ts'
import type { ShardRev } from '../../ports/list-replicas.ts'
import type { Held } from './held.ts'
import { askNode } from './intake.ts'
import { type Needs, unpacked } from './messages.ts'
import type { OwnShards } from './own-shards.ts'
import type { Context } from './ports.ts'

type Answer = { readonly owned: readonly number[]; readonly needed: readonly ShardRev[] }
type Batch = { readonly tenants: Set<string | null>; readonly answer: Promise<Needs> }

export type CurrencyParts = Context & {
  readonly held: Held
  readonly own: OwnShards
  /** The questions for changes ask for all that is needed. */
  readonly look: () => void
}

/**
 * Waits until this node's file has what was committed anywhere before. Every shard must have an owner who says so: one
 * that is on its way from node to node is asked for again.
 */
export class Currency {
  readonly #parts: CurrencyParts
  readonly #next = new Map<string, Batch>()
  readonly #running = new Map<string, Promise<unknown>>()

  constructor(parts: CurrencyParts) {
    this.#parts = parts
  }

  /** What concerns an organisation, or with null everything. Resolves with the signal at the latest. */
  async reach(tenant: string | null, signal: AbortSignal): Promise<void> {
    const { ports, settings, own, held } = this.#parts
    while (!signal.aborted) {
      const terms = held.terms()
      const reading = this.#ownRead().catch(() => new Map<number, number | null>())
      const asked = ports.livingNodes().map((node) => this.#ask(node, tenant))
      const answers = await Promise.all(asked.map((each) => each.catch(() => null)))
      const mine = await reading
      const owned = new Set(mine.keys())
      for (const answer of answers) for (const shard of answer?.owned ?? []) owned.add(shard)
      this.#parts.look()
      const needed = answers.flatMap((answer) => answer?.needed ?? [])
      await held.reached(
        needed.filter(({ shard }) => own.epochOf(shard) === null),
        signal,
      )
      // A shard that was lost meanwhile is shown as its next owner has it, which may be less for a moment.
      const isLost = [...mine].some(([shard, epoch]) => own.epochOf(shard) !== epoch)
      // A later owner may have begun without what this one waited for, and reads the log first.
      const isNewTerm = held.terms().some((term, shard) => term !== terms[shard] && !mine.has(shard))
      if (owned.size >= ports.shards && !isLost && !isNewTerm) return
      await ports.runtime.sleep(settings.againMs, signal).catch(() => undefined)
    }
  }

  /** The shards of this node whose logs were read to their end since this was asked. */
  async #ownRead(): Promise<ReadonlyMap<number, number | null>> {
    const { ports, own } = this.#parts
    await own.begin()
    const epochs = new Map(own.all().map((shard) => [shard, own.epochOf(shard)]))
    await ports.caughtUp()
    return new Map([...epochs].filter(([shard, epoch]) => own.epochOf(shard) === epoch))
  }

  /** The same, or a rejection when it takes too long. */
  async require(tenant: string | null): Promise<void> {
    const { ports, settings } = this.#parts
    const limit = new AbortController()
    const over = ports.runtime.sleep(settings.strictMs, limit.signal).catch(() => undefined)
    const reached = new AbortController()
    let isReached = false
    const reaching = this.reach(tenant, reached.signal).then(() => {
      isReached = !reached.signal.aborted
    })
    await Promise.race([reaching, over])
    reached.abort()
    limit.abort()
    if (!isReached) throw new AskFailed('unavailable', 'the lists are behind', settings.patienceMs)
  }

  /** Questions to a node that come while one is under way go together after it: its answer would be too old for them. */
  async #ask(node: string, tenant: string | null): Promise<Answer> {
    const batch = this.#next.get(node) ?? this.#begin(node)
    batch.tenants.add(tenant)
    const { owned, needed } = await batch.answer
    return { owned, needed: needed[[...batch.tenants].indexOf(tenant)] ?? [] }
  }

  #begin(node: string): Batch {
    const { settings } = this.#parts
    const tenants = new Set<string | null>()
    const send = async (): Promise<Needs> => {
      await this.#running.get(node)?.catch(() => undefined)
      this.#next.delete(node)
      const request = { tenants: [...tenants] }
      const sent = askNode(this.#parts, node, 'lists.needs', request, settings.requestTimeoutMs)
      this.#running.set(node, sent)
      const answer = await sent.finally(() => this.#running.delete(node))
      return unpacked(answer) as Needs
    }
    const batch = { tenants, answer: Promise.resolve().then(send) }
    batch.answer.catch(() => undefined)
    this.#next.set(node, batch)
    return batch
  }
}
