import type { HostFault, ReportFault } from './faults.ts'
import type { BodyStore } from '../ports/bodies.ts'
import type { CopiesElsewhere } from '../ports/hot-facts.ts'
import type { ShardJournal } from '../ports/journal.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { Vault } from '../ports/vault.ts'
import type { Rests } from './rests.ts'
import { type Backoff, backoffMs } from '../timing/backoff.ts'

const REST_LOOK_MS = 150_000

const tickedAnyway = (): void => undefined

const RETRIES: Backoff = { firstMs: 1_000, maxMs: 300_000 }

/** What everything that works for one shard shares. */
export class ShardContext {
  readonly journal: ShardJournal
  readonly vault: Vault | null
  readonly bodies: Pick<BodyStore, 'keepOnly' | 'deleteOthers'> | null
  readonly runtime: Runtime
  readonly rests: Rests
  /** Null where no other node reads copies. */
  readonly copies: CopiesElsewhere | null
  /** Aborted when the shard is lost or closes: what runs outside gives up, what comes back is dropped. */
  readonly ended: AbortSignal
  /** A tick is wanted in so many milliseconds. */
  readonly wanted: (inMs: number) => void
  readonly #report: ReportFault

  constructor(
    parts: Pick<ShardContext, 'journal' | 'vault' | 'bodies' | 'runtime' | 'rests'> & {
      readonly copies?: CopiesElsewhere | null
      readonly report: ReportFault
      readonly wanted?: (inMs: number) => void
    },
    ended: AbortSignal,
  ) {
    this.journal = parts.journal
    this.vault = parts.vault
    this.bodies = parts.bodies
    this.runtime = parts.runtime
    this.rests = parts.rests
    this.copies = parts.copies ?? null
    this.ended = ended
    this.wanted = parts.wanted ?? tickedAnyway
    this.#report = parts.report
  }

  /** When one looks again whether an organisation still rests. */
  restLookMs(): number {
    return this.runtime.now() + Math.round(REST_LOOK_MS * (1 + this.runtime.random()))
  }

  report(during: HostFault['during'], actor: string | null, error: unknown): void {
    this.#report({ during, actor, shard: this.journal.shard, error })
  }

  /** The time at which something is tried again that has failed so many times in a row. */
  retryAtMs(failures: number): number {
    return this.runtime.now() + Math.round(backoffMs(RETRIES, failures, this.runtime.random()))
  }
}
