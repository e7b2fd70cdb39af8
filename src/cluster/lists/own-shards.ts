import { AskFailed } from '../../ports/actors.ts'
import type { DirectoryRow } from '../../ports/directory.ts'
import type { TailPosition } from '../../ports/journal.ts'
import type { Rev, ShardRev } from '../../ports/list-replicas.ts'
import type { Held } from './held.ts'
import { KeptLog } from './kept-log.ts'
import type { Context } from './ports.ts'
import type { RecentChanges } from './recent-changes.ts'

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
  /** Takes over what other nodes have of shards that were just opened here. */
  readonly catchUp: (shards: readonly number[]) => Promise<void>
  /** Something changed that other nodes wait for. */
  readonly changed: () => void
  /** The shard is written here from now on. */
  readonly begun: (shard: number) => void
}

/** The shards whose rows are written here. Each begins with what other nodes have of it, then the projector goes on. */
export class OwnShards {
  readonly #parts: OwnShardsParts
  readonly #begun = new Map<number, number>()
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

  /** For the projector: writes as the owner, or fails retryably. */
  async write(
    write: Write,
    shard: number,
    rows: readonly DirectoryRow[],
    position: TailPosition,
  ): Promise<void> {
    const epoch = this.epochOf(shard)
    const rev = epoch === null ? null : await write(shard, rows, position, epoch)
    if (rev === null) throw notOurs(shard)
    if (rows.length === 0 && rev === this.#parts.held.at(shard)) return
    this.#parts.recent.note(shard, rev, rows)
    this.noteChange({ shard, rev })
  }

  noteChange(change: ShardRev): void {
    this.#parts.held.set(change)
    this.#parts.changed()
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
    const { ports, held, recent, catchUp, changed, begun: tell } = this.#parts
    const opened = this.#opened()
    await catchUp(opened)
    const terms = opened.flatMap((shard) => {
      const epoch = ports.epochOf(shard)
      return epoch === null ? [] : [{ shard, epoch }]
    })
    const begun = await ports.file.openTerms(terms)
    for (const { shard, epoch } of terms) {
      const change = begun.find((each) => each.shard === shard)
      if (change === undefined) continue
      held.set(change)
      // What this file took over is remembered by no organisation here.
      recent.noteForAll(change)
      this.#keptLog.forget(shard)
      this.#begun.set(shard, epoch)
      tell(shard)
      ports.follow(shard)
    }
    changed()
  }
}
