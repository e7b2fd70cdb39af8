import {
  soleOwner,
  type Journal,
  type JournalEntry,
  type Ownership,
  type TimerRow,
} from '../../src/ports/journal.ts'
import { openJournal } from '../../src/persistence/shard-log.ts'
import { shardLogDefaults, type ShardLogSettings } from '../../src/persistence/shard-log-settings.ts'
import type { JournalStore } from '../../src/persistence/store-port.ts'
import { CALM } from '../../tools/simulate/faults.ts'
import { ModelStore } from '../../tools/simulate/model-store.ts'
import { Network } from '../../tools/simulate/network.ts'
import { Random } from '../../tools/simulate/random.ts'
import { SimulatedProcess } from '../../tools/simulate/simulated-process.ts'
import { journalStoreFor } from '../../tools/simulate/store-clients.ts'
import { Truth } from '../../tools/simulate/truth.ts'
import { World } from '../../tools/simulate/world.ts'

export const ACTOR = 'cnt_0000000000'

/** The shard log over the simulation's model store, in virtual time, with nothing disturbed unless a test does it. */
export class ModelJournal {
  readonly world = new World(new Random(1), false)
  readonly truth = new Truth(this.world)
  readonly model: ModelStore
  readonly network = new Network(this.world, CALM)
  readonly settings: ShardLogSettings

  constructor(
    {
      segmentSlots = 1_024,
      ...settings
    }: Partial<ShardLogSettings> & { readonly segmentSlots?: number } = {},
    copies: 'atomic' | 'deferred' = 'deferred',
  ) {
    this.settings = { ...shardLogDefaults, copyLingerMs: 0, ...settings }
    this.model = new ModelStore(this.truth, segmentSlots, copies === 'atomic', () => null)
  }

  process(name: string): SimulatedProcess {
    return new SimulatedProcess(this.world, name, { wallOffsetMs: 0, monotonicRate: 1 }, 0, () => {})
  }

  /** A journal of its own process; `change` puts something between it and the store. */
  journal(
    name: string,
    change: (store: JournalStore) => Partial<JournalStore> = () => ({}),
    ownership: Ownership = soleOwner(name),
  ): Journal & AsyncDisposable {
    const process = this.process(name)
    const store = journalStoreFor(process, this.network, this.model)
    return openJournal({ ...store, ...change(store) }, process.runtime, this.settings, ownership)
  }

  /** Lets virtual time pass until the answer is there. */
  async settle<Answer>(answer: Promise<Answer>, limitMs = 600_000): Promise<Answer> {
    let done = false
    const finish = (): void => {
      done = true
    }
    answer.then(finish, finish)
    // An answer that is there at once comes with the first happening.
    this.world.at(0, null, () => {})
    await this.world.run(this.world.nowMs + limitMs, () => done)
    if (!done) throw new Error(`no answer in ${limitMs} ms of virtual time`)
    return answer
  }

  async pass(ms: number): Promise<void> {
    const endMs = this.world.nowMs + ms
    this.world.at(ms, null, () => {})
    await this.world.run(endMs, () => this.world.nowMs >= endMs)
  }
}

/** One event of which the truth only wants to know that it happens once. */
export const entry = (
  seq: number,
  { actor = ACTOR, events = 1, set = [], cleared = [], commandId = null }: Partial<EntryOptions> = {},
): JournalEntry => ({
  actor,
  seq,
  commandId,
  events: Array.from({ length: events }, (_, index) =>
    JSON.stringify({ is: 'settled', id: `${actor} ${seq + index}` }),
  ),
  timersSet: set,
  timersCleared: cleared,
})

type EntryOptions = {
  readonly actor: string
  readonly events: number
  readonly set: readonly TimerRow[]
  readonly cleared: readonly TimerRow[]
  readonly commandId: string | null
}

export const timer = (timerId: string, dueMs: number): TimerRow => ({ actor: ACTOR, timerId, dueMs })
