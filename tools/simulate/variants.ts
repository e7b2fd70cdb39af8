import type { Journal } from '../../src/actors/journal-port.ts'
import type { Ownership } from '../../src/actors/ownership-port.ts'
import type { LeaseSettings } from '../../src/cluster/lease.ts'
import type { JournalStore } from '../../src/persistence/store-port.ts'
import type { ModelStore } from './model-store.ts'

/** A protocol with a mistake in it, made around the production code: the simulation must notice each. */
export type Variant = {
  readonly name: string
  readonly mistake: string
  readonly store?: (store: JournalStore, model: ModelStore) => JournalStore
  readonly journal?: (journal: Journal) => Journal
  readonly ownership?: (ownership: Ownership) => Ownership
  readonly lease?: Partial<LeaseSettings>
}

export const asBuilt: Variant = { name: 'as-built', mistake: 'none' }
