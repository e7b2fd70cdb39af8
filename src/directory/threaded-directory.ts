import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type {
  Directory,
  DirectoryRow,
  FinishedRecord,
  FinishedRecords,
  ListedRecord,
  ListQuery,
  RecordsOfTenant,
} from '../ports/directory.ts'
import type { TailPosition } from '../ports/journal.ts'
import type {
  DueQuery,
  DueRecords,
  ListOverview,
  ListOverviews,
  OverviewQuery,
} from '../ports/list-overview.ts'
import type { ReplicaFile, Rev } from '../ports/list-replicas.ts'
import { AskFailed } from '../ports/actors.ts'
import type { FinishedQuery } from './finished-reader.ts'
import type { ListedQuery, RecordsQuery } from './tenant-rows.ts'
import type { DirectoryWrite, WrittenRev } from './sqlite-directory.ts'

/** A list may take tens of milliseconds, so a caller behind more of them would wait too long anyway. */
const LISTS_WAITING_MAX = 128
/** Calls that the thread may have begun at once; it works on others while a list is read into memory. */
const CALLS_AT_ONCE = 512
const RETRY_AFTER_MS = 1_000
/** Each message to the thread wakes it and costs a transaction: writes within this time share both. */
const GATHER_MS = 50
/** Writes with this many rows are sent at once, as are all writes while a caller waits for a list. */
const GATHERED_ROWS_MAX = 256

type Operations = typeof import('./directory-thread.ts')

/** The directory as the main thread sees it. A thread that died is replaced; what it was asked for is rejected. */
export class ThreadedDirectory
  implements Directory, ListOverviews, FinishedRecords, RecordsOfTenant, AsyncDisposable
{
  readonly #thread: Piscina
  #closed: Promise<void> | null = null
  #lists = 0
  #gathered: DirectoryWrite[] = []
  #gatheredRows = 0
  #gathering: PromiseWithResolvers<readonly WrittenRev[]> | null = null
  #gatherTimer: NodeJS.Timeout | undefined
  #callersInHurry = 0

  /** `isReplica`: in a cluster, where files of several nodes become equal. */
  constructor(file: string, isReplica = false) {
    this.#thread = new Piscina({
      filename: fileURLToPath(new URL('./directory-thread.ts', import.meta.url)),
      name: 'list',
      minThreads: 1,
      maxThreads: 1,
      concurrentTasksPerWorker: CALLS_AT_ONCE,
      // A thread that waits between calls could not go on reading a list into memory.
      atomics: 'disabled',
      workerData: { file, isReplica },
    })
    // Without a listener the death of the thread would end the process.
    this.#thread.on('error', () => undefined)
  }

  list(query: ListQuery): Promise<{ readonly rows: readonly DirectoryRow[]; readonly total: number }> {
    return this.#counted(() => this.#call('list', query))
  }

  overview(query: OverviewQuery): Promise<readonly ListOverview[]> {
    return this.#counted(() => this.#call('overview', query))
  }

  due(query: DueQuery): Promise<readonly DueRecords[]> {
    return this.#counted(() => this.#call('due', query))
  }

  /** Hours before this one are counted no longer, and go. */
  forgetHours(before: number): Promise<void> {
    return this.#call('forgetHours', before)
  }

  async #counted<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (this.#lists >= LISTS_WAITING_MAX)
      throw new AskFailed('overloaded', 'too many lists are being made', RETRY_AFTER_MS)
    this.#lists += 1
    try {
      return await ask()
    } finally {
      this.#lists -= 1
    }
  }

  positionOf(shard: number): Promise<TailPosition | null> {
    return this.#call('positionOf', shard)
  }

  tenantsWithFinished(shard: number): Promise<readonly string[]> {
    return this.#call('tenantsWithFinished', shard)
  }

  finishedBefore(query: FinishedQuery): Promise<readonly FinishedRecord[]> {
    return this.#call('finishedBefore', query)
  }

  swept(rows: readonly number[]): Promise<void> {
    return this.#call('swept', rows)
  }

  listsOf(tenant: string): Promise<readonly string[]> {
    return this.#call('listsOf', tenant)
  }

  recordsOf(query: RecordsQuery): Promise<readonly ListedRecord[]> {
    return this.#call('recordsOf', query)
  }

  listed(query: ListedQuery): Promise<readonly string[]> {
    return this.#call('listed', query)
  }

  unlist(rows: readonly number[]): Promise<void> {
    return this.#call('unlist', rows)
  }

  /**
   * Writes the rows together with the position in the log up to which they stand. In a cluster, as the owner of that
   * epoch: answers with the last change, or with null when the file has heard of a later owner.
   */
  async write(
    shard: number,
    rows: readonly DirectoryRow[],
    position: TailPosition,
    epoch?: number,
  ): Promise<Rev | null> {
    this.#gathered.push({ shard, rows, position, ...(epoch !== undefined && { epoch }) })
    this.#gatheredRows += rows.length
    if (this.#gathering === null) {
      this.#gathering = Promise.withResolvers()
      this.#gatherTimer = setTimeout(() => this.#writeGathered(), this.#callersInHurry > 0 ? 0 : GATHER_MS)
    }
    const { promise } = this.#gathering
    if (this.#gatheredRows >= GATHERED_ROWS_MAX) this.#writeGathered()
    const written = await promise
    return epoch === undefined ? null : (written.findLast((each) => each.shard === shard)?.rev ?? null)
  }

  /** Resolves when no text that was replaced by a finished write is in a file. */
  clear(): Promise<void> {
    return this.#call('clear', undefined)
  }

  /** Sends the writes that have gathered, and lets none gather until the end of `work`. */
  async hurried<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#callersInHurry += 1
    this.#writeGathered()
    try {
      return await work()
    } finally {
      this.#callersInHurry -= 1
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#writeGathered()
    this.#closed ??= this.#close()
    return this.#closed
  }

  /** What the files of other nodes have to do with this one. */
  readonly replicas: ReplicaFile = {
    states: () => this.#call('states', undefined),
    changesAfter: (wanted) => this.#call('changesAfter', wanted),
    apply: (bytes) => this.#call('apply', bytes),
    inQuestion: (at) => this.#call('inQuestion', at),
    rowsOf: (wanted) => this.#call('rowsOf', wanted),
    settle: (answer) => this.#call('settle', answer),
    fillAnew: (at) => this.#call('fillAnew', at),
    overwrite: (erased) => this.#call('overwrite', erased),
    openTerms: (terms) => this.#call('openTerms', terms),
    unlistKeys: (order) => this.#call('unlistKeys', order),
    keysOfRecord: (of) => this.#call('keysOfRecord', of),
    keysOf: (rows) => this.#call('keysOf', rows),
    sweptIn: (order) => this.#call('sweptIn', order),
  }

  #writeGathered(): void {
    const gathering = this.#gathering
    if (gathering === null) return
    clearTimeout(this.#gatherTimer)
    const writes = this.#gathered
    this.#gathered = []
    this.#gatheredRows = 0
    this.#gathering = null
    this.#call('writeAll', writes).then(gathering.resolve, gathering.reject)
  }

  async #call<Name extends Exclude<keyof Operations, 'close'>>(
    name: Name,
    input: Parameters<Operations[Name]>[0],
  ): Promise<Awaited<ReturnType<Operations[Name]>>> {
    if (this.#closed !== null) throw new AskFailed('unavailable', 'the directory is closed', RETRY_AFTER_MS)
    try {
      return (await this.#thread.run(input, { name })) as Awaited<ReturnType<Operations[Name]>>
    } catch (cause) {
      throw new AskFailed('unavailable', 'the directory could not do it', RETRY_AFTER_MS, { cause })
    }
  }

  async #close(): Promise<void> {
    await this.#thread.run(null, { name: 'close' }).catch(() => undefined)
    await this.#thread.destroy()
  }
}
