import type { TailPosition, TailRecord } from '../../src/ports/journal.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import type { Truth } from './truth.ts'
import { Violation, type World } from './world.ts'

/** What leaves the processes, seen from where it arrives. */
export class Outside {
  readonly #world: World
  readonly #truth: Truth
  readonly performedEffects = new Set<string>()
  readonly #publishedEntries = new Set<string>()

  constructor(world: World, truth: Truth) {
    this.#world = world
    this.#truth = truth
  }

  performed(process: SimulatedProcess, actor: string, effect: string): void {
    this.#world.note(() => `${process.name} performs ${effect} of ${actor}`)
    if (this.#truth.actors.get(actor)?.everOwed.has(effect) !== true)
      this.#violated(`${effect} of ${actor} was performed before it was committed that it is owed`)
    this.performedEffects.add(effect)
  }

  /** The tail may repeat, and may pass over what was published before; it never leaves anything out. */
  published(shard: number, from: TailPosition | null, records: readonly TailRecord[]): void {
    let after = from
    for (const record of records) {
      for (let next = this.#truth.entryAfter(shard, after); ; next = this.#truth.entryAfter(shard, next)) {
        if (next === null)
          return this.#violated(`the tail of shard ${shard} has ${at(record)}, the log has not`)
        if (next.no === record.no && next.index === record.index) break
        if (!this.isPublished(shard, next))
          return this.#violated(`the tail of shard ${shard} leaves out ${at(next)} before ${at(record)}`)
      }
      this.#publishedEntries.add(`${shard} ${at(record)}`)
      after = record
    }
  }

  isPublished(shard: number, position: TailPosition): boolean {
    return this.#publishedEntries.has(`${shard} ${at(position)}`)
  }

  /** The first entry with a number below `endNo` that nobody has seen in the tail. */
  unpublishedBefore(shard: number, endNo: number): TailPosition | null {
    let next = this.#truth.entryAfter(shard, null)
    while (next !== null && this.isPublished(shard, next)) next = this.#truth.entryAfter(shard, next)
    return next === null || next.no >= endNo ? null : next
  }

  /** Defects only: what the network did to the process is no news. */
  reported(process: SimulatedProcess, during: string, error: unknown): void {
    this.#world.note(() => `${process.name} reports ${during}: ${String(error)}`)
    if (!process.alive || (error instanceof Error && ('retryable' in error || HARMLESS.has(error.message))))
      return
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#violated(`${process.name} reports ${during}: ${text}`)
  }

  #violated(what: string): void {
    this.#world.fail(new Violation(what))
  }
}

const HARMLESS = new Set([
  'the effect fails',
  'the lease is not confirmed',
  'the outcome did not settle what was owed',
])

const at = (position: TailPosition): string => `${position.no}.${position.index}`
