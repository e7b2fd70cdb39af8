import { shardDigits } from '../../domain/references.ts'
import { AskFailed } from '../../ports/actors.ts'
import type { CopiesElsewhere } from '../../ports/hot-facts.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { failureAnswer, type Fact, type HandedOver, type LendAnswer } from './fact-messages.ts'
import { LentNotes, type Note } from './lent-notes.ts'
import type { FactSettings } from './settings.ts'
import { UnknownHolders } from './unknown-holders.ts'

export type LenderPorts = {
  readonly runtime: Pick<Runtime, 'monotonicMs' | 'sleep'>
  /** Reads an actor of a shard that is served here; fails with `not_owner` for any other. */
  readonly readHere: (fact: Fact) => unknown
  readonly isCopied: (actor: string, view: string) => boolean
  readonly mapVersion: () => number
  /** Resolves when the node has dropped what it has of the actor. */
  readonly recall: (node: string, actor: string, timeoutMs: number) => Promise<void>
}

/** The first epoch of a shard: nobody has lent before. */
const FIRST_EPOCH = 1

/** The owner's side: lends views of the actors that are served here, and calls copies back when these change. */
export class FactLender implements CopiesElsewhere {
  readonly #ports: LenderPorts
  readonly #settings: FactSettings
  readonly #notes: LentNotes
  readonly #unknown: UnknownHolders
  readonly #epochs = new Map<number, number>()
  /** What the owner of the epoch before knew, of shards that are not open yet; and what was known of those closed here. */
  readonly #given = new Map<number, HandedOver & { readonly atMs: number }>()
  readonly #left = new Map<number, HandedOver & { readonly atMs: number }>()
  readonly #recalls = new Map<string, Set<Promise<void>>>()

  constructor(ports: LenderPorts, settings: FactSettings) {
    this.#ports = ports
    this.#settings = settings
    this.#notes = new LentNotes(settings)
    this.#unknown = new UnknownHolders(ports.runtime, settings.changedMax)
  }

  /** How many notes are kept, and how many actors are being called back. */
  get size(): { readonly lent: number; readonly recalled: number } {
    return { lent: this.#notes.count, recalled: this.#recalls.size }
  }

  /** `to` is null for this node itself, which gets no lease. */
  async lend(fact: Fact, to: string | null): Promise<LendAnswer> {
    const { readHere, isCopied, mapVersion, runtime } = this.#ports
    const { leaseMs, marginMs } = this.#settings
    const shard = shardDigits(fact.actor)
    if (!this.#epochs.has(shard)) return { is: 'elsewhere', mapVersion: mapVersion() }
    const nowMs = runtime.monotonicMs()
    // Before the read: a change that the value does not have finds the note.
    const isNoted =
      to !== null &&
      isCopied(fact.actor, fact.view) &&
      this.#notes.add(fact.actor, to, nowMs + leaseMs + marginMs, nowMs)
    try {
      const value = await readHere(fact)
      return { is: 'lent', leaseMs: isNoted ? leaseMs : 0, value }
    } catch (error) {
      const isElsewhere = error instanceof AskFailed && error.code === 'not_owner'
      return isElsewhere ? { is: 'elsewhere', mapVersion: mapVersion() } : failureAnswer(error)
    }
  }

  opened(shard: number, epoch: number): void {
    const { leaseMs, marginMs } = this.#settings
    this.#epochs.set(shard, epoch)
    this.#left.delete(shard)
    const given = this.#given.get(shard)
    this.#given.delete(shard)
    if (epoch === FIRST_EPOCH) return
    this.#unknown.begin(shard, epoch, leaseMs + marginMs)
    if (given !== undefined) this.#take(given, given.atMs)
  }

  closed(shard: number, epoch: number, lastEpoch = epoch): void {
    if (this.#epochs.get(shard) !== epoch) return
    this.#epochs.delete(shard)
    const atMs = this.#ports.runtime.monotonicMs()
    const unknownForMs = this.#unknown.forMs(shard)
    this.#unknown.closed(shard)
    const notes = this.#notes
      .takeShard(shard)
      .filter(({ untilMs }) => atMs < untilMs)
      .map(({ actor, node, untilMs }) => {
        return { actor, node, forMs: untilMs - atMs, isCalledBack: this.#recalls.has(actor) }
      })
    this.#left.set(shard, { shard, epoch: lastEpoch, unknownForMs, notes, atMs })
  }

  /** What is to be told to the next owner of a shard that was closed here; null when it is of no use any more. */
  left(shard: number): HandedOver | null {
    const left = this.#left.get(shard)
    this.#left.delete(shard)
    if (left === undefined) return null
    const { atMs, ...handedOver } = left
    const { leaseMs, marginMs } = this.#settings
    return this.#ports.runtime.monotonicMs() - atMs < leaseMs + marginMs ? handedOver : null
  }

  /** The owner before tells what it knew, before or after the shard is open here. */
  take(handedOver: HandedOver): void {
    const atMs = this.#ports.runtime.monotonicMs()
    if (this.#epochs.get(handedOver.shard) === handedOver.epoch + 1) this.#take(handedOver, atMs)
    else this.#given.set(handedOver.shard, { ...handedOver, atMs })
  }

  changed(actor: string): void {
    this.#unknown.changed(actor)
    this.#recallFrom(actor, () => true)
  }

  settled(actor: string): Promise<void> | null {
    const over = this.#unknown.overFor(shardDigits(actor))
    return over === null && !this.#recalls.has(actor) ? null : this.#settled(actor, over)
  }

  stop(): void {
    this.#unknown.stop()
  }

  async #settled(actor: string, over: Promise<void> | null): Promise<void> {
    for (let unknown = over; unknown !== null; unknown = this.#unknown.overFor(shardDigits(actor)))
      await unknown
    const recalls = this.#recalls.get(actor)
    if (recalls !== undefined) await Promise.all(recalls)
  }

  #take({ shard, epoch, unknownForMs, notes }: HandedOver, atMs: number): void {
    const { runtime } = this.#ports
    const nowMs = runtime.monotonicMs()
    const { lentMax, lentToOneMax, leaseMs, marginMs } = this.#settings
    // Notes that find no room would be forgotten holders.
    if (this.#notes.count + notes.length > Math.min(lentMax, lentToOneMax)) return
    const changed = this.#unknown.known(shard, epoch, Math.max(0, unknownForMs - (nowMs - atMs)))
    if (changed === null) return
    for (const { actor, node, forMs, isCalledBack } of notes) {
      const untilMs = atMs + Math.min(forMs, leaseMs + marginMs)
      if (untilMs <= nowMs) continue
      this.#notes.put(actor, node, untilMs)
      // Also where the node has a newer copy from here: it may have an older one of another view.
      if (isCalledBack || changed.has(actor)) this.#recallFrom(actor, (note) => note.node === node)
    }
  }

  /** No newer copy than one that is being called back is called back again. */
  #recallFrom(actor: string, isMeant: (note: Note) => boolean): void {
    for (const note of this.#notes.of(actor, this.#ports.runtime.monotonicMs()))
      if (isMeant(note) && note.calledBack < note.number) this.#begin(note)
  }

  #begin(note: Note): void {
    const { actor, number } = note
    note.calledBack = number
    const recalls = this.#recalls.get(actor) ?? new Set()
    const recall = this.#callBack(note, number, note.untilMs).then(() => {
      recalls.delete(recall)
      if (recalls.size === 0) this.#recalls.delete(actor)
    })
    recalls.add(recall)
    this.#recalls.set(actor, recalls)
  }

  /** Until the node has dropped its copies, or may not use them any more. */
  async #callBack({ actor, node }: Note, number: number, untilMs: number): Promise<void> {
    const { runtime, recall } = this.#ports
    const { requestTimeoutMs, retryMs, retryMsMax } = this.#settings
    for (let pauseMs = retryMs; ; pauseMs = Math.min(pauseMs * 2, retryMsMax)) {
      const leftMs = untilMs - runtime.monotonicMs()
      if (leftMs <= 0) return
      try {
        await recall(node, actor, Math.min(requestTimeoutMs, leftMs))
        this.#notes.dropped({ actor, node }, number)
        return
      } catch {
        await runtime.sleep(Math.min(pauseMs, Math.max(1, untilMs - runtime.monotonicMs())))
      }
    }
  }
}
