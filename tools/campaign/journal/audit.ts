import { checkShard } from '../../../src/persistence/journal-check.ts'
import type { JournalStore } from '../../../src/persistence/store-port.ts'
import { Random } from '../../simulate/random.ts'
import { Truth } from '../../simulate/truth.ts'
import { Violation, World } from '../../simulate/world.ts'
import type { Acknowledged } from './askers.ts'

export type Audit = {
  readonly slots: number
  readonly epochs: number
  readonly events: number
  readonly lost: number
  readonly forgotten: number
  readonly problems: readonly string[]
}

const PAGE_SLOTS = 64

/** Reads the journal from outside, with the rules that the simulation has: nothing lost, doubled, stale or forgotten. */
export const auditJournal = async (
  store: JournalStore,
  shardCount: number,
  acknowledged: readonly Acknowledged[],
  performed: ReadonlySet<string>,
): Promise<Audit> => {
  const truth = new Truth(new World(new Random(0), false))
  const problems: string[] = []
  let [slots, epochs] = [0, 0]
  for (let shard = 0; shard < shardCount; shard++) {
    const last = await replay(store, shard, truth, problems)
    slots += truth.lengthOf(shard)
    epochs += last
    problems.push(...(await checkShard(store, shard)).problems)
  }
  const missing = acknowledged.filter(({ actor, commandId }) => !truth.isCommitted(actor, commandId))
  problems.push(...missing.map(({ commandId }) => `${commandId} was acknowledged and is not in the journal`))
  const forgotten = forgottenBy(truth, performed)
  problems.push(...forgotten)
  const events = [...truth.actors.values()].reduce((sum, { seq }) => sum + seq, 0)
  return { slots, epochs, events, lost: missing.length, forgotten: forgotten.length, problems }
}

/** The newest epoch. */
const replay = async (
  store: JournalStore,
  shard: number,
  truth: Truth,
  problems: string[],
): Promise<number> => {
  let epoch = 0
  for (let no = 0; ; ) {
    const page = await store.readLog(shard, no, PAGE_SLOTS)
    for (const slot of page) {
      try {
        truth.committed(slot)
      } catch (error) {
        if (!(error instanceof Violation)) throw error
        problems.push(`shard ${shard}, slot ${slot.no}: ${error.message}`)
        return epoch
      }
      epoch = slot.epoch
    }
    if (page.length === 0) return epoch
    no += page.length
  }
}

const forgottenBy = (truth: Truth, performed: ReadonlySet<string>): readonly string[] => {
  const forgotten: string[] = []
  for (const [id, { state, settled }] of truth.actors) {
    forgotten.push(...state.owed.map((effect) => `${effect} of ${id} is still owed`))
    forgotten.push(...state.timers.map((timer) => `${timer.id} of ${id} has not rung`))
    for (const effect of settled) {
      if (!performed.has(`${id} ${effect}`)) forgotten.push(`${effect} of ${id} was never performed`)
    }
  }
  return forgotten
}
