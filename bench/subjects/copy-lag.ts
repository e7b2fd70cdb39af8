// How far copies are behind the log, seen between the protocol and its engine: committed after the written checkpoint.
import type { AppendOutcome, JournalStore, LogSlot } from '../../src/persistence/store-port.ts'

type Behind = { events: number; readonly slots: { readonly no: number; readonly events: number }[] }

export class CopyLag {
  readonly #behind = new Map<number, Behind>()
  #eventsMax = 0

  /** The lag of the shard that was furthest behind at any moment. */
  get eventsMax(): number {
    return this.#eventsMax
  }

  /** The same store, with every committed slot and every written checkpoint noted. */
  watch(store: JournalStore): JournalStore {
    const noted: Partial<JournalStore> = {
      append: async (slot) => {
        const outcome = await store.append(slot)
        if (isOurs(slot, outcome)) this.#committed(slot)
        return outcome
      },
      writeCheckpoint: async (shard, epoch, checkpoint) => {
        await store.writeCheckpoint(shard, epoch, checkpoint)
        this.#copied(shard, checkpoint.copiedNo)
      },
    }
    // Engines are classes: their other methods are passed on with their own `this`.
    return new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(noted, name) ?? Reflect.get(target, name)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
  }

  #committed({ shard, no, record }: LogSlot): void {
    const behind = this.#behind.get(shard) ?? { events: 0, slots: [] }
    this.#behind.set(shard, behind)
    const last = behind.slots.at(-1)
    if (last !== undefined && last.no >= no) return
    const entries = record.kind === 'batch' ? record.entries : []
    const events = entries.reduce((sum, entry) => sum + entry.events.length, 0)
    behind.slots.push({ no, events })
    behind.events += events
    this.#eventsMax = Math.max(this.#eventsMax, behind.events)
  }

  #copied(shard: number, upToNo: number): void {
    const behind = this.#behind.get(shard)
    while (behind?.slots[0] !== undefined && behind.slots[0].no <= upToNo)
      behind.events -= behind.slots.shift()?.events ?? 0
  }
}

/** An attempt whose answer was lost finds itself. */
const isOurs = ({ batchId, epoch }: LogSlot, outcome: AppendOutcome): boolean =>
  outcome.is === 'written' ||
  (outcome.is === 'occupied' && outcome.batchId === batchId && outcome.epoch === epoch)
