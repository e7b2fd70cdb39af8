import { type JournalStore, type LogSlot, StoreFailure } from '../../src/persistence/store-port.ts'
import { ModelStore } from './model-store.ts'
import { Violation } from './world.ts'

type Append = JournalStore['append']

const withAppend = (store: JournalStore, append: Append): JournalStore => ({ ...store, append })

/** After a timeout it takes the next slot instead of finding out who is in this one. */
export const skipsSlotAfterTimeout = (store: JournalStore): JournalStore => {
  const skipped = new Map<string, number>()
  return withAppend(store, async (slot) => {
    const key = `${slot.shard} ${slot.epoch}`
    try {
      return await store.append({ ...slot, no: slot.no + (skipped.get(key) ?? 0) })
    } catch (error) {
      if (error instanceof StoreFailure && error.outcome === 'unknown' && slot.record.kind === 'batch')
        skipped.set(key, (skipped.get(key) ?? 0) + 1)
      throw error
    }
  })
}

/** Finds another's record in its slot and goes on behind it. */
export const ignoresHigherEpochs = (store: JournalStore): JournalStore => {
  const skipped = new Map<string, number>()
  return withAppend(store, async (slot) => {
    const key = `${slot.shard} ${slot.epoch}`
    for (;;) {
      const no = slot.no + (skipped.get(key) ?? 0)
      const outcome = await store.append({ ...slot, no })
      if (outcome.is !== 'occupied' || outcome.batchId === slot.batchId || slot.record.kind === 'open')
        return outcome
      skipped.set(key, (skipped.get(key) ?? 0) + 1)
    }
  })
}

/** Serves after it has read the log to its end, without a record that says so. */
export const opensWithoutRecord = (store: JournalStore): JournalStore => {
  const opened = new Set<number>()
  return withAppend(store, (slot) => {
    if (slot.record.kind === 'batch')
      return store.append({ ...slot, no: slot.no - (opened.has(slot.shard) ? 1 : 0) })
    opened.add(slot.shard)
    return Promise.resolve({ is: 'written' })
  })
}

/** Copies what it writes itself, and not what the owner before left uncopied. */
export const replaysNothing = (store: JournalStore): JournalStore => {
  const own = new Set<string>()
  return {
    ...store,
    append: (slot) => {
      own.add(slot.batchId)
      return store.append(slot)
    },
    copy: (shard, slots) =>
      store.copy(
        shard,
        slots.filter(({ batchId }) => own.has(batchId)),
      ),
  }
}

/** Moves the checkpoint before the copies are there. */
export const checkpointsAhead = (store: JournalStore): JournalStore => {
  let copies: Promise<void> = Promise.resolve()
  return {
    ...store,
    copy: (shard, slots) => {
      copies = copies.then(() => store.copy(shard, slots)).catch(() => {})
      return Promise.resolve()
    },
  }
}

/** Reads an actor from its copies alone. */
export const forgetsUncopied = (store: JournalStore): JournalStore => {
  const delays: Promise<void>[] = []
  return {
    ...store,
    copy: (shard, slots) => {
      delays.push(store.copy(shard, slots).catch(() => {}))
      return Promise.resolve()
    },
    writeCheckpoint: async (shard, epoch, checkpoint) => {
      await Promise.all(delays)
      return store.writeCheckpoint(shard, epoch, checkpoint)
    },
  }
}

/** An insert without a condition. */
export class PlainInsertStore extends ModelStore {
  override append(slot: LogSlot): ReturnType<ModelStore['append']> {
    const outcome = super.append(slot)
    if (outcome.is === 'occupied' && outcome.batchId !== slot.batchId)
      throw new Violation(`slot ${slot.no} of ${outcome.batchId} was overwritten by ${slot.batchId}`)
    return { is: 'written' }
  }
}

/** Whose slots are deleted is free again. */
export class ForgetfulStore extends ModelStore {
  override append(slot: LogSlot): ReturnType<ModelStore['append']> {
    const outcome = super.append(slot)
    if (outcome.is === 'retired') throw new Violation(`slot ${slot.no} was deleted and came back`)
    return outcome
  }
}
