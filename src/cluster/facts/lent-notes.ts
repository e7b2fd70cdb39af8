import { shardDigits } from '../../domain/references.ts'
import type { FactSettings } from './settings.ts'

/** That a node may have copies of an actor. */
export type Note = {
  readonly actor: string
  readonly node: string
  /** Of its last question; another number, another copy. */
  number: number
  untilMs: number
  /** The number up to which copies are being called back. */
  calledBack: number
}

/** Who may have copies of what, until when. Those of a shard stand in the order in which they end. */
export class LentNotes {
  readonly #settings: Pick<FactSettings, 'lentMax' | 'lentToOneMax' | 'holdersMax'>
  readonly #shards = new Map<number, Map<string, Note>>()
  readonly #actors = new Map<string, Set<Note>>()
  readonly #ofNode = new Map<string, number>()
  #count = 0
  #numbers = 0

  constructor(settings: Pick<FactSettings, 'lentMax' | 'lentToOneMax' | 'holdersMax'>) {
    this.#settings = settings
  }

  get count(): number {
    return this.#count
  }

  /** False where there is no room for another: then nothing may be lent. */
  add(actor: string, node: string, untilMs: number, nowMs: number): boolean {
    const shard = shardDigits(actor)
    const notes = this.#shards.get(shard)
    if (notes !== undefined) this.#dropOver(notes, nowMs, 2)
    if (notes?.has(keyOf(actor, node)) !== true && !this.#hasRoom(actor, node, nowMs)) return false
    this.put(actor, node, untilMs)
    return true
  }

  /** Whether there is room or not: for holders that have copies already. */
  put(actor: string, node: string, untilMs: number): void {
    const shard = shardDigits(actor)
    const known = this.#shards.get(shard)?.get(keyOf(actor, node))
    if (known !== undefined) this.#remove(known)
    const note = {
      actor,
      node,
      number: ++this.#numbers,
      untilMs: Math.max(untilMs, known?.untilMs ?? 0),
      calledBack: known?.calledBack ?? 0,
    }
    this.#insert(shard, note)
  }

  /** Notes that are not over, of nodes that may have copies of the actor. */
  of(actor: string, nowMs: number): readonly Note[] {
    const notes = this.#actors.get(actor)
    return notes === undefined ? [] : [...notes].filter(({ untilMs }) => nowMs < untilMs)
  }

  /** The node has dropped what it had by then. */
  dropped({ actor, node }: Pick<Note, 'actor' | 'node'>, number: number): void {
    const note = this.#shards.get(shardDigits(actor))?.get(keyOf(actor, node))
    if (note !== undefined && note.number === number) this.#remove(note)
  }

  /** Takes out what is known of a shard. */
  takeShard(shard: number): readonly Note[] {
    const notes = [...(this.#shards.get(shard)?.values() ?? [])]
    for (const note of notes) this.#remove(note)
    return notes
  }

  #insert(shard: number, note: Note): void {
    const { actor, node } = note
    const notes = this.#shards.get(shard) ?? new Map<string, Note>()
    const ofActor = this.#actors.get(actor) ?? new Set<Note>()
    notes.set(keyOf(actor, node), note)
    ofActor.add(note)
    this.#shards.set(shard, notes)
    this.#actors.set(actor, ofActor)
    this.#ofNode.set(node, (this.#ofNode.get(node) ?? 0) + 1)
    this.#count++
  }

  #remove(note: Note): void {
    const { actor, node } = note
    const shard = shardDigits(actor)
    const notes = this.#shards.get(shard)
    const ofActor = this.#actors.get(actor)
    notes?.delete(keyOf(actor, node))
    ofActor?.delete(note)
    if (notes?.size === 0) this.#shards.delete(shard)
    if (ofActor?.size === 0) this.#actors.delete(actor)
    const left = (this.#ofNode.get(node) ?? 1) - 1
    if (left > 0) this.#ofNode.set(node, left)
    else this.#ofNode.delete(node)
    this.#count--
  }

  #hasRoom(actor: string, node: string, nowMs: number): boolean {
    const { holdersMax } = this.#settings
    if ((this.#actors.get(actor)?.size ?? 0) >= holdersMax && this.of(actor, nowMs).length >= holdersMax)
      return false
    if (this.#isBelow(node)) return true
    for (const notes of this.#shards.values()) this.#dropOver(notes, nowMs, notes.size)
    return this.#isBelow(node)
  }

  #isBelow(node: string): boolean {
    const { lentMax, lentToOneMax } = this.#settings
    return this.#count < lentMax && (this.#ofNode.get(node) ?? 0) < lentToOneMax
  }

  #dropOver(notes: ReadonlyMap<string, Note>, nowMs: number, atMost: number): void {
    let dropped = 0
    for (const note of notes.values()) {
      if (dropped >= atMost || nowMs < note.untilMs) return
      this.#remove(note)
      dropped++
    }
  }
}

const keyOf = (actor: string, node: string): string => `${actor} ${node}`
