import { AskFailed } from '../../ports/actors.ts'
import type { DirectoryRow } from '../../ports/directory.ts'
import type { TailPosition } from '../../ports/journal.ts'
import type { Rev, ShardRev } from '../../ports/list-replicas.ts'
import type { Held } from './held.ts'
import { KeptLog } from './kept-log.ts'
import type { Context } from './ports.ts'
import type { RecentChanges } from './recent-changes.ts'
import type { Whole } from './whole.ts'

type Write = (
  shard: number,
  rows: readonly DirectoryRow[],
  position: TailPosition,
  epoch: number,
) => Promise<Rev | null>

const RETRY_AFTER_MS = 200

export const notOurs = (shard: number): AskFailed =>
  new AskFailed('not_owner', `the lists of shard ${shard} are written by another node`, RETRY_AFTER_MS)

export type OwnShardsParts = Context & {
  readonly held: Held
  readonly recent: RecentChanges
  readonly whole: Whole
  /** Takes over what other nodes have of shards that were just opened here; false where one of them did not answer. */
  readonly catchUp: (shards: readonly number[]) => Promise<boolean>
  /** Something changed that other nodes wait for. */
  readonly changed: () => void
  /** The log of a shard was read, so that what its followers have is everything. */
  readonly read: () => void
}

/** The shards whose rows are written here. Each begins with what other nodes have of it, then the projector goes on. */
export class OwnShards {
  readonly #parts: OwnShardsParts
  readonly #begun = new Map<number, number>()
  /** The terms in which the file has read the log to its end once. */
  readonly #caughtUp = new Map<number, number>()
  readonly #keptLog: KeptLog
  #beginning: Promise<void> | null = null

  constructor(parts: OwnShardsParts) {
    this.#parts = parts
    this.#keptLog = new KeptLog(parts.settings.logHeldMs)
  }

  /** The epoch in which the shard is written here; null where it is not, or not yet. */
  epochOf(shard: number): number | null {
    const epoch = this.#parts.ports.epochOf(shard)
    return epoch !== null && this.#begun.get(shard) === epoch ? epoch : null
  }

  /** Whether everything is in the file that was committed before this node began with the shard. */
  isRead(shard: number): boolean {
    const epoch = this.epochOf(shard)
    return epoch !== null && this.#caughtUp.get(shard) === epoch
  }

  all(): readonly number[] {
    return [...this.#begun.keys()].filter((shard) => this.epochOf(shard) !== null)
  }

  /** Begins with those that were opened; one round at a time. */
  begin(): Promise<void> {
    if (this.#opened().length === 0) return Promise.resolve()
    this.#beginning ??= this.#beginOpened().finally(() => {
      this.#beginning = null
    })
    return this.#beginning
  }

  /** The epoch in which the shard is written here, also where it was opened a moment ago. */
  async begunWith(shard: number): Promise<number> {
    // The round that is under way may be one of other shards.
    for (let round = 0; round < 2 && this.epochOf(shard) === null; round++) await this.begin()
    const epoch = this.epochOf(shard)
    if (epoch === null) throw notOurs(shard)
    return epoch
  }

  /** For the projector: writes as the owner of that term, or fails retryably. */
  async write(
    write: Write,
    shard: number,
    rows: readonly DirectoryRow[],
    position: TailPosition,
    term: number | undefined,
  ): Promise<void> {
    // What was read in an earlier term may be older than what another owner has written since.
    const isNow = term !== undefined && term === this.epochOf(shard)
    const rev = isNow ? await write(shard, rows, position, term) : null
    if (rev === null) throw notOurs(shard)
    if (rows.length === 0 && rev === this.#parts.held.at(shard)) return
    this.#parts.recent.note(shard, rev, rows)
    this.noteChange({ shard, rev })
  }

  noteChange(change: ShardRev): void {
    const { held, changed } = this.#parts
    if (this.isRead(change.shard)) held.set(change)
    else held.move(change)
    changed()
  }

  /** For the projector: the log up to here is in the files of all living nodes. */
  forgettable(shard: number, position: TailPosition): TailPosition | null {
    const { ports, held, recent } = this.#parts
    const acknowledged = ports.livingNodes().map((node) => recent.acknowledgedBy(node, shard))
    const now = { rev: held.at(shard), position, atMs: ports.runtime.monotonicMs() }
    return this.#keptLog.forgettable(shard, now, Math.min(...acknowledged, Number.MAX_SAFE_INTEGER))
  }

  #opened(): readonly number[] {
    const { ports } = this.#parts
    const shards = Array.from({ length: ports.shards }, (_, shard) => shard)
    return shards.filter((shard) => ports.epochOf(shard) !== null && this.epochOf(shard) === null)
  }

  async #beginOpened(): Promise<void> {
    const { ports, held, recent, whole, catchUp, changed } = this.#parts
    const opened = this.#opened()
    const isHeard = await catchUp(opened)
    const terms = opened.flatMap((shard) => {
      const epoch = ports.epochOf(shard)
      // A file that has followed lacks a moment, which is in the log; any other may lack what is kept nowhere but elsewhere.
      return epoch === null || !(isHeard || whole.has(shard)) ? [] : [{ shard, epoch }]
    })
    if (terms.length === 0) return
    const begun = await ports.file.openTerms(terms)
    for (const { shard, epoch } of terms) {
      const change = begun.find((each) => each.shard === shard)
      if (change === undefined) continue
      held.move(change)
      // What this file took over is remembered by no organisation here.
      recent.noteForAll(change)
      this.#keptLog.forget(shard)
      this.#begun.set(shard, epoch)
      ports.follow(shard)
      void this.#awaitLog(shard, epoch)
    }
    changed()
  }

  /** A file that has followed is whole before, any other from then on. */
  async #awaitLog(shard: number, epoch: number): Promise<void> {
    const { ports, settings, held, whole, read } = this.#parts
    for (let isRead = false; !isRead; ) {
      isRead = await ports.caughtUp(shard).then(
        () => true,
        () => false,
      )
      if (this.epochOf(shard) !== epoch) return
      if (!isRead) await ports.runtime.sleep(settings.lookMs)
    }
    this.#caughtUp.set(shard, epoch)
    held.set({ shard, rev: held.at(shard) })
    whole.set(shard)
    read()
  }
}
