import type { Journal, ShardJournal } from '../../src/ports/journal.ts'
import type { Ownership } from '../../src/ports/ownership.ts'
import type { LeaseSettings } from '../../src/cluster/lease.ts'
import type { ShardLogSettings } from '../../src/persistence/shard-log-settings.ts'
import type { JournalStore } from '../../src/persistence/store-port.ts'
import {
  AcknowledgesTimersEarly,
  AnswersWithoutLease,
  ForgetsCommandIds,
  OwesWithoutWakeUp,
  RepliesBeforeCommit,
  SetsTimersLater,
  TearsBatches,
} from './broken-journals.ts'
import {
  checkpointsAhead,
  ForgetfulStore,
  forgetsUncopied,
  ignoresHigherEpochs,
  opensWithoutRecord,
  PlainInsertStore,
  replaysNothing,
  skipsSlotAfterTimeout,
} from './broken-stores.ts'
import type { Faults } from './faults.ts'
import { ModelStore } from './model-store.ts'
import { wrapShards } from './shard-journal-wrapper.ts'

/** A protocol with one mistake, made around the production code: the simulation must notice each. */
export type Variant = {
  readonly name: string
  readonly model: typeof ModelStore
  readonly store: (store: JournalStore) => JournalStore
  readonly journal: (journal: Journal) => Journal
  readonly ownership: (ownership: Ownership) => Ownership
  readonly lease: Partial<LeaseSettings>
  readonly settings: Partial<ShardLogSettings>
  /** The circumstances in which the mistake does harm, where they are rare. */
  readonly faults: Partial<Faults>
}

export const asBuilt: Variant = {
  name: 'as-built',
  model: ModelStore,
  store: (store) => store,
  journal: (journal) => journal,
  ownership: (ownership) => ownership,
  lease: {},
  settings: {},
  faults: {},
}

const shards = (Wrapper: new (shard: ShardJournal) => ShardJournal) =>
  wrapShards((shard) => new Wrapper(shard))

const mistakes: Readonly<Record<string, Partial<Variant>>> = {
  'skips-slot-after-timeout': { store: skipsSlotAfterTimeout },
  'ignores-higher-epochs': {
    store: ignoresHigherEpochs,
    faults: { cutsPerMinute: 6, cutMs: 14_000, crash: 0, outagesPerMinute: 0, refused: 0 },
  },
  'replies-before-commit': { journal: shards(RepliesBeforeCommit) },
  'plain-insert': { model: PlainInsertStore },
  'opens-without-record': { store: opensWithoutRecord },
  'takes-from-the-living': {
    ownership: (ownership) => ({ session: () => ownership.session(), isGone: () => Promise.resolve(true) }),
  },
  'lease-longer-than-dead-time': { lease: { validMs: 60_000 } },
  'answers-without-lease': { journal: shards(AnswersWithoutLease) },
  'replays-nothing': { store: replaysNothing },
  'checkpoints-ahead': { store: checkpointsAhead },
  'forgets-uncopied': { store: forgetsUncopied },
  'revives-deleted-slots': { model: ForgetfulStore },
  'deletes-unpublished': { settings: { publishedReader: null } },
  'forgets-command-ids': { journal: shards(ForgetsCommandIds) },
  'acknowledges-timers-early': { journal: shards(AcknowledgesTimersEarly) },
  'owes-without-wake-up': { journal: shards(OwesWithoutWakeUp) },
  'tears-batches': { journal: shards(TearsBatches) },
  'sets-timers-later': { journal: shards(SetsTimersLater) },
}

export const brokenVariants: readonly Variant[] = Object.entries(mistakes).map(([name, mistake]) => ({
  ...asBuilt,
  ...mistake,
  name,
}))

export const findVariant = (name: string): Variant | undefined =>
  [asBuilt, ...brokenVariants].find((variant) => variant.name === name)
