import type { JournalEntry, TailPosition } from '../../src/ports/journal.ts'
import { ownerOf } from '../../src/persistence/store-calls.ts'
import type { LogSlot } from '../../src/persistence/store-port.ts'
import { counter, type CounterEvent, type CounterState } from './counter.ts'
import { Violation, type World } from './world.ts'

export type TrueActor = {
  seq: number
  state: CounterState
  readonly everOwed: Set<string>
  readonly settled: Set<string>
  readonly rang: Set<string>
}

type ShardTruth = { readonly slots: LogSlot[]; epoch: number; owner: string }

/** What was committed, seen from outside of every process, and the rules it must keep at every step. */
export class Truth {
  readonly actors = new Map<string, TrueActor>()
  readonly #world: World
  readonly #shards = new Map<number, ShardTruth>()
  readonly #commands = new Set<string>()
  /** The longest history that an answer was based on: no later answer may be based on a shorter one. */
  readonly #toldSeq = new Map<string, number>()

  constructor(world: World) {
    this.#world = world
  }

  ownerOf(shard: number): string {
    return this.#shard(shard).owner
  }

  slot(shard: number, no: number): LogSlot | undefined {
    return this.#shard(shard).slots[no]
  }

  lengthOf(shard: number): number {
    return this.#shard(shard).slots.length
  }

  committed(slot: LogSlot): void {
    const shard = this.#shard(slot.shard)
    this.#world.note(() => `log ${slot.shard}/${slot.no} ${describeSlot(slot)}`)
    if (slot.no !== shard.slots.length) throw new Violation(`slot ${slot.no} leaves a gap in the log`)
    const owner = ownerOf(slot.batchId)
    if (slot.record.kind === 'open') {
      if (slot.epoch !== shard.epoch + 1)
        throw new Violation(`open record of epoch ${slot.epoch} after epoch ${shard.epoch}`)
      if (slot.record.node !== owner) throw new Violation(`${owner} opens for ${slot.record.node}`)
    } else {
      if (slot.epoch !== shard.epoch) throw new Violation(`batch of epoch ${slot.epoch} in ${shard.epoch}`)
      if (owner !== shard.owner) throw new Violation(`${owner} writes in the epoch of ${shard.owner}`)
      for (const entry of slot.record.entries) this.#apply(entry)
      checkWholes(slot.record.entries)
    }
    shard.epoch = slot.epoch
    shard.owner = owner
    shard.slots.push(slot)
  }

  /** Where the tail goes on after a position. */
  entryAfter(shard: number, after: TailPosition | null): TailPosition | null {
    const { slots } = this.#shard(shard)
    let index = after === null ? 0 : after.index + 1
    for (let no = after?.no ?? 0; no < slots.length; no++, index = 0) {
      const record = slots[no]?.record
      if (record?.kind === 'batch' && index < record.entries.length) return { no, index }
    }
    return null
  }

  /** The last event of an actor in the slots up to this one, and its slot. */
  lastOf(shard: number, actor: string, upToNo: number): { readonly seq: number; readonly no: number } {
    const { slots } = this.#shard(shard)
    for (let no = Math.min(upToNo, slots.length - 1); no >= 0; no--) {
      const record = slots[no]?.record
      const found = record?.kind === 'batch' && record.entries.findLast((entry) => entry.actor === actor)
      if (found) return { seq: found.seq + found.events.length - 1, no }
    }
    return { seq: 0, no: -1 }
  }

  isCommitted(actor: string, commandId: string): boolean {
    return this.#commands.has(`${actor} ${commandId}`)
  }

  toldSeq(actor: string): number {
    return this.#toldSeq.get(actor) ?? 0
  }

  /** A reply leaves a process: what it says must be committed, and not older than what was told before it was asked. */
  told(actor: string, seq: number, atLeast: number): void {
    const committed = this.actors.get(actor)?.seq ?? 0
    if (seq > committed) throw new Violation(`${actor}: ${seq} was told, ${committed} is committed`)
    if (seq < atLeast) throw new Violation(`${actor}: ${seq} was told after ${atLeast} had been`)
    this.#toldSeq.set(actor, Math.max(this.toldSeq(actor), seq))
  }

  actor(id: string): TrueActor {
    const actor = this.actors.get(id) ?? {
      seq: 0,
      state: counter.decider.initialState,
      everOwed: new Set(),
      settled: new Set(),
      rang: new Set(),
    }
    this.actors.set(id, actor)
    return actor
  }

  #apply(entry: JournalEntry): void {
    const actor = this.actor(entry.actor)
    if (entry.seq !== actor.seq + 1)
      throw new Violation(`${entry.actor}: event ${entry.seq} follows event ${actor.seq}`)
    if (entry.commandId !== null) {
      if (this.isCommitted(entry.actor, entry.commandId))
        throw new Violation(`${entry.commandId} was committed twice`)
      this.#commands.add(`${entry.actor} ${entry.commandId}`)
    }
    for (const text of entry.events) {
      this.#applyEvent(entry.actor, actor, JSON.parse(text) as CounterEvent)
    }
    for (const effect of counter.decider.owed?.(actor.state) ?? []) actor.everOwed.add(effect.id)
  }

  #applyEvent(id: string, actor: TrueActor, event: CounterEvent): void {
    if (event.is === 'added' && event.total !== actor.state.total + event.amount)
      throw new Violation(`${id}: decided on a total that is not ${actor.state.total}`)
    const once = event.is === 'settled' ? actor.settled : event.is === 'rang' ? actor.rang : null
    if (once !== null && 'id' in event) {
      if (once.has(event.id)) throw new Violation(`${id}: ${event.is} ${event.id} twice`)
      once.add(event.id)
    }
    actor.state = counter.decider.evolve(actor.state, event)
    actor.seq++
  }

  #shard(number: number): ShardTruth {
    const shard = this.#shards.get(number) ?? { slots: [], epoch: 0, owner: '' }
    this.#shards.set(number, shard)
    return shard
  }
}

/** Commands that were given together are in one batch, all of them. */
const checkWholes = (entries: readonly JournalEntry[]): void => {
  const sizes = new Map<string, number>()
  for (const { commandId } of entries) {
    if (commandId?.startsWith(TOGETHER) === true) sizes.set(commandId, (sizes.get(commandId) ?? 0) + 1)
  }
  for (const [commandId, size] of sizes) {
    if (size !== 2) throw new Violation(`${commandId} was torn apart`)
  }
}

/** How ids begin of commands to two actors at once. */
export const TOGETHER = 'both-'

const describeSlot = ({ epoch, batchId, record }: LogSlot): string =>
  record.kind === 'open'
    ? `epoch ${epoch} opened by ${record.node || 'nobody'}`
    : `epoch ${epoch} ${batchId}: ${record.entries
        .map((entry) => `${entry.actor}#${entry.seq} ${entry.events.join(' ')} (${entry.commandId ?? ''})`)
        .join(', ')}`
