import type { LeaseSettings } from '../../src/cluster/lease.ts'
import { unwrapSnapshot, wrapSnapshot } from '../../src/host/state/snapshot-envelope.ts'
import { OWED_TIMER } from '../../src/host/timers/shard-timers.ts'
import type { ShardLogSettings } from '../../src/persistence/shard-log-settings.ts'
import { StoreFailure, type JournalStore, type LogSlot } from '../../src/persistence/store-port.ts'
import type { Ownership, ShardJournal, StoredSnapshot, TimerRow } from '../../src/ports/journal.ts'
import type { Runtime } from '../../src/ports/runtime.ts'
import type { Faults } from './faults.ts'
import { mistakesWithWhatIsLeft } from './later-variants.ts'
import type { ModelStore } from './model-store.ts'
import { Violation } from './world.ts'

/** A protocol with one mistake, made around the production code: the simulation must notice each. */
export type Variant = {
  readonly name: string
  /** What the engine itself does instead. */
  readonly model?: (model: ModelStore) => Partial<ModelStore>
  /** What a process does with the store instead. */
  readonly store?: (store: JournalStore) => Partial<JournalStore>
  readonly shard?: (shard: ShardJournal) => Partial<ShardJournal>
  readonly ownership?: Partial<Ownership>
  readonly lease?: Partial<LeaseSettings>
  /** How a node's lease sees time instead. */
  readonly leaseTime?: (runtime: Runtime) => Partial<Runtime>
  /** How the host of a node sleeps instead. */
  readonly hostTime?: (runtime: Runtime) => Partial<Runtime>
  readonly repeatsThatItBegins?: boolean
  readonly settings?: Partial<ShardLogSettings>
  /** The circumstances in which the mistake does harm, where they are rare. */
  readonly faults?: Partial<Faults>
}

export const asBuilt: Variant = { name: 'as-built' }

/** By how many slots the writers of each epoch are ahead of the slot that is theirs. */
class SlotsAhead {
  readonly #ahead = new Map<string, number>()

  moved(slot: LogSlot): LogSlot {
    return { ...slot, no: slot.no + (this.#ahead.get(`${slot.shard} ${slot.epoch}`) ?? 0) }
  }

  moveOn({ shard, epoch }: LogSlot): void {
    this.#ahead.set(`${shard} ${epoch}`, (this.#ahead.get(`${shard} ${epoch}`) ?? 0) + 1)
  }
}

const mistakes: Readonly<Record<string, Omit<Variant, 'name'>>> = {
  /** After a timeout it takes the next slot instead of finding out who is in this one. */
  'skips-slot-after-timeout': {
    store: (store) => {
      const slots = new SlotsAhead()
      return {
        append: async (slot) => {
          try {
            return await store.append(slots.moved(slot))
          } catch (error) {
            if (error instanceof StoreFailure && error.outcome === 'unknown' && slot.record.kind === 'batch')
              slots.moveOn(slot)
            throw error
          }
        },
      }
    },
  },

  /** Finds another's record in its slot and goes on behind it. */
  'ignores-higher-epochs': {
    store: (store) => {
      const slots = new SlotsAhead()
      return {
        append: async (slot) => {
          for (;;) {
            const outcome = await store.append(slots.moved(slot))
            if (outcome.is !== 'occupied' || outcome.batchId === slot.batchId || slot.record.kind === 'open')
              return outcome
            slots.moveOn(slot)
          }
        },
      }
    },
    faults: { cutsPerMinute: 6, cutMs: 14_000, crash: 0, outagesPerMinute: 0, refused: 0 },
  },

  /** Says "committed" when the batch has only been sent. */
  'replies-before-commit': {
    shard: (shard) => {
      let last: Promise<void> = Promise.resolve()
      return {
        append: (entries) => {
          last = last.then(() => shard.append(entries)).catch(() => {})
          return Promise.resolve()
        },
      }
    },
  },

  /** An insert without a condition. */
  'plain-insert': {
    model: (model) => ({
      append: (slot) => {
        const outcome = model.append(slot)
        if (outcome.is === 'occupied' && outcome.batchId !== slot.batchId)
          throw new Violation(`slot ${slot.no} of ${outcome.batchId} was overwritten by ${slot.batchId}`)
        return { is: 'written' }
      },
    }),
  },

  /** Serves after it has read the log to its end, without a record that says so. */
  'opens-without-record': {
    store: (store) => {
      const opened = new Set<number>()
      return {
        append: (slot) => {
          if (slot.record.kind === 'batch')
            return store.append({ ...slot, no: slot.no - (opened.has(slot.shard) ? 1 : 0) })
          opened.add(slot.shard)
          return Promise.resolve({ is: 'written' })
        },
      }
    },
  },

  'takes-from-the-living': { ownership: { isGone: () => Promise.resolve(true) } },

  'lease-longer-than-dead-time': { lease: { validMs: 60_000 } },

  /** Does not notice that its machine was suspended. */
  'sleeps-unnoticed': {
    leaseTime: (runtime) => ({ now: () => runtime.monotonicMs() }),
    faults: { pausesPerMinute: 6, pauseMs: 25_000, suspendedShare: 1, crash: 0, outagesPerMinute: 0 },
  },

  /** Answers as long as it does not know that it is no longer the owner. */
  'answers-without-lease': { shard: () => ({ confirmed: true }) },

  /** Copies what it writes itself, and not what the owner before left uncopied. */
  'replays-nothing': {
    store: (store) => {
      const own = new Set<string>()
      return {
        append: (slot) => {
          own.add(slot.batchId)
          return store.append(slot)
        },
        copy: (shard, slots) => {
          const owned = slots.filter(({ batchId }) => own.has(batchId))
          return store.copy(shard, owned)
        },
      }
    },
  },

  /** Moves the checkpoint before the copies are there. */
  'checkpoints-ahead': {
    store: (store) => {
      let copies: Promise<void> = Promise.resolve()
      return {
        copy: (shard, slots) => {
          copies = copies.then(() => store.copy(shard, slots)).catch(() => {})
          return Promise.resolve()
        },
      }
    },
  },

  /** Reads an actor from its copies alone. */
  'forgets-uncopied': {
    store: (store) => {
      const delays: Promise<void>[] = []
      return {
        copy: (shard, slots) => {
          delays.push(store.copy(shard, slots).catch(() => {}))
          return Promise.resolve()
        },
        writeCheckpoint: async (shard, epoch, checkpoint) => {
          await Promise.all(delays)
          return store.writeCheckpoint(shard, epoch, checkpoint)
        },
      }
    },
  },

  /** A slot that was deleted is free again. */
  'revives-deleted-slots': {
    model: (model) => ({
      append: (slot) => {
        const outcome = model.append(slot)
        if (outcome.is === 'retired') throw new Violation(`slot ${slot.no} was deleted and came back`)
        return outcome
      },
    }),
  },

  'deletes-unpublished': { settings: { publishedReader: null } },

  /** Lets events go that nobody outside has seen. */
  'forgets-unpublished': {
    settings: { publishedReader: null, forgetLingerMs: 0 },
    model: () => ({ retireSegment: () => {} }),
  },

  /** Keeps a snapshot that is older than what it lets go. */
  'forgets-more-than-is-in-the-snapshot': {
    shard: (shard) => ({
      forget: (actor, { seq, data }) => shard.forget(actor, { seq: Math.max(1, seq - 1), data }),
    }),
  },

  /** Lets go what was committed while the snapshot was written. */
  'folds-what-came-after-the-snapshot': {
    shard: (shard) => ({
      fold: async (actor, snapshot) => {
        await shard.saveSnapshot(actor, snapshot)
        return shard.forget(actor, snapshot)
      },
    }),
  },

  /** A copy that comes late brings events back that were let go. */
  'brings-forgotten-events-back': {
    model: (model) => {
      model.buriesLateCopies = false
      return {}
    },
  },

  /** A repeated command is unknown after recovery. */
  'forgets-command-ids': {
    shard: (shard) => ({
      load: async (actor) => {
        const { snapshot, events } = await shard.load(actor)
        const forgetful = ({ seq, data }: StoredSnapshot): StoredSnapshot => {
          const { state } = unwrapSnapshot(data)
          return { seq, data: wrapSnapshot({ recentCommands: [], state }) }
        }
        return {
          snapshot: snapshot && forgetful(snapshot),
          events: events.map((event) => ({ ...event, commandId: null })),
        }
      },
    }),
  },

  /** Acknowledges timers when they are read, not when what they caused is committed. */
  'acknowledges-timers-early': {
    shard: (shard) => ({
      timersDue: async (untilMs, after, limit) => {
        const rows = await shard.timersDue(untilMs, after, limit)
        if (rows.length > 0) await shard.timersDone(rows)
        return rows
      },
    }),
  },

  /** What is owed has no wake-up of its own: it waits until the actor happens to be asked. */
  'owes-without-wake-up': {
    shard: (shard) => ({
      append: (entries) => {
        const isKept = ({ timerId }: TimerRow) => timerId !== OWED_TIMER
        return shard.append(entries.map((entry) => ({ ...entry, timersSet: entry.timersSet.filter(isKept) })))
      },
    }),
  },

  /** Commits what was decided together one by one. */
  'tears-batches': {
    shard: (shard) => ({
      append: async (entries) => {
        for (const entry of entries) await shard.append([entry])
      },
    }),
  },

  /** Timers follow the decision in a batch of their own. */
  'sets-timers-later': {
    shard: (shard) => {
      let held: readonly TimerRow[] = []
      return {
        append: (entries) => {
          const rows = held
          held = entries.flatMap(({ timersSet }) => timersSet)
          return shard.append(
            entries.map((entry, index) => ({ ...entry, timersSet: index === 0 ? rows : [] })),
          )
        },
      }
    },
  },

  ...mistakesWithWhatIsLeft,
}

export const brokenVariants: readonly Variant[] = Object.entries(mistakes).map(([name, mistake]) => ({
  ...mistake,
  name,
}))
