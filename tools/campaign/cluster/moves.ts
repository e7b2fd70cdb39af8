import { setTimeout as pause } from 'node:timers/promises'
import { orders } from '../../../src/cli/orders.ts'
import { callService } from '../../../src/cli/service-call.ts'
import { paths } from '../../cluster/layout.ts'
import { nodeName } from '../../cluster/settings.ts'
import type { Random } from '../../simulate/random.ts'
import { shuffled } from '../scenario.ts'
import type { ServiceNodes } from './nodes.ts'

const EVERY_MS = 5_000
const SHARDS_AT_ONCE = 8

type Place = {
  readonly number: number
  readonly owner: string | null
  readonly desired: string | null
  readonly pinned: boolean
}

/** An operator who moves shards about for no reason, at whichever node is there. */
export class Moves {
  readonly #folder: string
  readonly #nodes: Pick<ServiceNodes, 'present'>
  readonly #random: Random
  readonly #over = new AbortController()
  readonly counts = { plans: 0, moves: 0, refused: 0 }
  /** What an order was refused with, and how often. */
  readonly refusals: Record<string, number> = {}

  constructor(folder: string, nodes: Pick<ServiceNodes, 'present'>, random: Random) {
    this.#folder = folder
    this.#nodes = nodes
    this.#random = random
  }

  async run(): Promise<void> {
    const { signal } = this.#over
    while (!signal.aborted) {
      const [, given] = await Promise.allSettled([pause(EVERY_MS, undefined, { signal }), this.#giveOne()])
      if (given.status === 'fulfilled') continue
      this.counts.refused += 1
      const sentence = given.reason instanceof Error ? given.reason.message : String(given.reason)
      this.refusals[sentence] = (this.refusals[sentence] ?? 0) + 1
    }
  }

  stop(): void {
    this.#over.abort()
  }

  async #giveOne(): Promise<void> {
    const present = this.#nodes.present()
    if (present.length < 2) return
    const call = callService(paths(this.#folder).data(this.#random.pick(present)))
    const { items } = await orders['shards list'](call)
    const names = present.map((number) => nodeName({ number }))
    const resting = (items as readonly Place[]).filter(
      ({ owner, desired, pinned }) => owner !== null && owner === desired && !pinned,
    )
    const moves = shuffled(this.#random, resting)
      .slice(0, SHARDS_AT_ONCE)
      .map(({ number: shard, owner: from }) => ({
        shard,
        from,
        to: this.#random.pick(names.filter((name) => name !== from)),
      }))
    if (moves.length === 0) return
    await orders['shards apply'](call, { moves })
    this.counts.plans += 1
    this.counts.moves += moves.length
  }
}
