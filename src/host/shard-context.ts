import type { ReportFault } from './faults.ts'
import type { ShardJournal } from '../ports/journal.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { Vault } from '../ports/vault.ts'

/** What everything that works for one shard shares. */
export type ShardContext = {
  readonly journal: ShardJournal
  readonly vault: Vault | null
  readonly runtime: Runtime
  readonly report: ReportFault
  /** Aborted when the shard is lost or closes: what runs outside gives up, what comes back is dropped. */
  readonly ended: AbortSignal
}
