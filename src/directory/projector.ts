import type { DirectoryRow } from '../ports/directory.ts'
import type { TailPosition } from '../ports/journal.ts'
import { isWaitedFor, ParkingFull } from '../ports/parking.ts'
import { FirstRows, type PageOfRows } from './first-rows.ts'
import type { ProjectorPorts, Term } from './projector-ports.ts'
import { SavedPositions } from './saved-positions.ts'
import { UnreadShards } from './unread-shards.ts'
import { WaitingRebuilds } from './waiting-rebuilds.ts'

const PAGE_ENTRIES = 256
const RETRY_MS = 500
/** The first slot of a shard opens it and holds no entries. */
const NOTHING_READ: TailPosition = { no: 0, index: 0 }

/** Follows the committed log of every shard, and asks each actor that changed for its row as it is now. */
export class Projector implements AsyncDisposable {
  readonly #ports: ProjectorPorts
  readonly #stopped = new AbortController()
  readonly #running = new Map<number, Promise<void>>()
  readonly #again = new Set<number>()
  readonly #unread: UnreadShards
  readonly #saved: SavedPositions
  /** Up to where the log of each shard was read: the file has all of it but the rows that wait. */
  readonly #positions = new Map<number, TailPosition>()
  readonly #firstRows: FirstRows
  readonly #rebuilds = new WaitingRebuilds<Term>()
  /** Shards that missed something are rebuilt one after the other, or the loss of the file would ask every actor at once. */
  #rebuilding: Promise<unknown> = Promise.resolve()
  readonly #unsubscribe: () => void
  readonly #saving: Promise<void>

  constructor(ports: ProjectorPorts) {
    const { signal } = this.#stopped
    this.#ports = ports
    this.#saved = new SavedPositions(ports)
    const sleep = (ms: number): Promise<void> => ports.runtime.sleep(ms, signal)
    this.#unread = new UnreadShards({ sleep, read: (shard) => this.#wake(shard) })
    this.#firstRows = new FirstRows({
      mayWait: (actor) => ports.firstRowWaits?.(actor) ?? false,
      sleep,
      due: (shard) => this.#wake(shard),
    })
    this.#unsubscribe = ports.journal.onCommitted((shard) => this.#unread.add(shard))
    for (let shard = 0; shard < ports.shards; shard++) this.#wake(shard)
    this.#saving = this.#saved.saveAgainAndAgain(() => this.#inFile(), signal)
  }

  /** Resolves when everything that was committed before, on this shard or on all of them, is in the lists. */
  async caughtUp(of?: number): Promise<void> {
    const behind = [...this.#unread.shards, ...this.#running.keys(), ...this.#firstRows.shards]
    const shards = of === undefined ? new Set(behind) : [of]
    await Promise.all([...shards].map((shard) => this.#caughtUp(shard)))
  }

  /** A commit while a page is being read is in the page after it. */
  #caughtUp(shard: number): Promise<void> {
    return this.#firstRows.hurried(shard, async () => {
      if (this.#unread.take(shard)) this.#wake(shard)
      const isBehind = this.#again.has(shard)
      await this.#running.get(shard)
      if (isBehind) await this.#running.get(shard)
      if (!this.#firstRows.has(shard)) return
      this.#wake(shard)
      await this.#running.get(shard)
    })
  }

  /**
   * Asks all actors of the shard for their rows; resolves with how many are in a list. It runs between two steps of
   * following the log, so that no row is written over a newer one; the lists are served meanwhile.
   */
  rebuild(shard: number, actors: AsyncIterable<string>): Promise<number> {
    const rebuilt = this.#rebuilds.add(shard, (term) => this.#rebuildRows(shard, actors, term))
    this.#wake(shard)
    return rebuilt
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe()
    this.#stopped.abort(new Error('the directory closes'))
    await Promise.all(this.#running.values())
    await this.#saving
    this.#rebuilds.giveUpAll()
  }

  /** The shard is followed here from now on; its rows may have come from elsewhere until then. */
  follow(shard: number): void {
    this.#readAgain(shard)
    this.#wake(shard)
  }

  /** From where the file stands. */
  #readAgain(shard: number): void {
    this.#positions.delete(shard)
    this.#firstRows.forget(shard)
  }

  #termOf(shard: number): Term | null {
    return this.#ports.termOf?.(shard)
  }

  #isFollowed(shard: number): boolean {
    return this.#termOf(shard) !== null
  }

  #wake(shard: number): void {
    if (this.#stopped.signal.aborted) return
    if (!this.#isFollowed(shard)) {
      // It would wait for a shard that may never come back.
      if (!this.#running.has(shard)) this.#rebuilds.giveUp(shard)
      this.#firstRows.forget(shard)
      return
    }
    if (this.#running.has(shard)) {
      this.#again.add(shard)
      return
    }
    const run = this.#follow(shard).finally(() => {
      this.#running.delete(shard)
      if (this.#again.delete(shard) || this.#rebuilds.has(shard)) this.#wake(shard)
    })
    this.#running.set(shard, run)
  }

  async #follow(shard: number): Promise<void> {
    const { signal } = this.#stopped
    for (let term = this.#termOf(shard); term !== null && !signal.aborted; term = this.#termOf(shard)) {
      await this.#rebuilds.run(shard, term)
      try {
        if ((await this.#page(shard, term)) < PAGE_ENTRIES) return
      } catch (error) {
        if (signal.aborted || !this.#isFollowed(shard)) return
        this.#readAgain(shard)
        // The shard was away and came back: its new term has to begin with what the file has now, and at once.
        if (this.#termOf(shard) !== term) continue
        this.#ports.failed(shard, error)
        // A retry makes room, and its order stands further on in the log.
        if (error instanceof ParkingFull) await this.#retryParked(shard, term).catch(() => undefined)
        await this.#ports.runtime.sleep(RETRY_MS, signal).catch(() => undefined)
      }
    }
  }

  async #page(shard: number, term: Term): Promise<number> {
    const { journal, directory, parking } = this.#ports
    const known = this.#positions.get(shard) ?? (await this.#begin(shard, term))
    const records = await journal.readTail(shard, known, PAGE_ENTRIES)
    const [first, last] = [records[0], records.at(-1)]
    // The lists of another node may be ahead of these, so that the journal dropped slots that these have not read.
    if (first !== undefined && first.no > known.no + 1 && (await this.#fillGap(shard, known, term)) !== known)
      return PAGE_ENTRIES
    const page = this.#firstRows.of(shard, known, records)
    if (last === undefined && page.now.size === 0) return 0
    // Before the position moves, so that an order which could not be carried out now is met again.
    if ([...page.now].some((actor) => parking.isChangedBy(actor))) await this.#retryParked(shard, term)
    const rows = await this.#rowsOf(shard, [...page.now])
    if (this.#stopped.signal.aborted) return 0
    const position = last === undefined ? known : { no: last.no, index: last.index }
    const inFile = this.#firstRows.upTo(shard, position, page)
    if (page.now.size > 0) await directory.write(shard, rows, inFile, term)
    this.#reached(shard, position, term, page)
    await this.#saved.save(shard, inFile)
    return records.length
  }

  /** What an earlier term has reached, a later one may have to read again. */
  #reached(shard: number, position: TailPosition, term: Term, page?: PageOfRows): void {
    if (this.#termOf(shard) !== term) return
    this.#positions.set(shard, position)
    if (page !== undefined) this.#firstRows.written(shard, page)
  }

  async #begin(shard: number, term: Term): Promise<TailPosition> {
    const known = (await this.#ports.directory.positionOf(shard)) ?? NOTHING_READ
    const position = await this.#fillGap(shard, known, term)
    this.#reached(shard, position, term)
    return position
  }

  /** The same position when no slot was missed; otherwise rebuilds the rows and answers the first position that can still be read. */
  async #fillGap(shard: number, known: TailPosition, term: Term): Promise<TailPosition> {
    const { journal, directory, actorsOf, rebuilt } = this.#ports
    const firstKeptNo = await journal.firstKeptNo(shard)
    if (known.no >= firstKeptNo) return known
    const rebuild = this.#rebuilding.then(() => {
      this.#stopped.signal.throwIfAborted()
      return this.#rebuildRows(shard, actorsOf(shard), term)
    })
    this.#rebuilding = rebuild.catch(() => undefined)
    const records = await rebuild
    // The position moves only after the rebuild, so that a rebuild that is cut short begins again.
    const position = { no: firstKeptNo, index: -1 }
    await directory.write(shard, [], position, term)
    this.#firstRows.forget(shard)
    this.#reached(shard, position, term)
    rebuilt(shard, records)
    return position
  }

  async #rebuildRows(shard: number, actors: AsyncIterable<string>, term: Term): Promise<number> {
    let written = 0
    let batch: string[] = []
    const write = async (): Promise<void> => {
      const rows = await this.#rowsOf(shard, batch)
      this.#stopped.signal.throwIfAborted()
      await this.#write(shard, rows, term)
      written += rows.length
      batch = []
    }
    for await (const actor of actors) {
      batch.push(actor)
      if (batch.length === PAGE_ENTRIES) await write()
    }
    await write()
    return written
  }

  /** Without those of actors that cannot be read: their rows stay as they are, and no other waits for them. */
  async #rowsOf(shard: number, actors: readonly string[]): Promise<readonly DirectoryRow[]> {
    const { rowsOf, parking } = this.#ports
    const rows = await Promise.all(
      actors.map(async (recordId) => {
        try {
          return await rowsOf(recordId)
        } catch (error) {
          if (isWaitedFor(error) || this.#stopped.signal.aborted) throw error
          await parking.park(shard, { part: 'lists', recordId, error })
          return []
        }
      }),
    )
    return rows.flat()
  }

  /** Those that an operator wants tried again. */
  async #retryParked(shard: number, term: Term): Promise<void> {
    const { rowsOf, parking } = this.#ports
    for (const { id, recordId, part, isRetryAsked } of await parking.of(shard)) {
      if (part !== 'lists' || !isRetryAsked) continue
      let rows: readonly DirectoryRow[]
      try {
        rows = await rowsOf(recordId)
      } catch (error) {
        if (isWaitedFor(error) || this.#stopped.signal.aborted) throw error
        await parking.keep(shard, id, error)
        continue
      }
      await this.#write(shard, rows, term)
      await parking.release(shard, id, [])
    }
  }

  /** Rows beside the log, where the shard stands now. */
  async #write(shard: number, rows: readonly DirectoryRow[], term: Term): Promise<void> {
    const { directory } = this.#ports
    const read = this.#positions.get(shard) ?? (await directory.positionOf(shard)) ?? NOTHING_READ
    await directory.write(shard, rows, this.#firstRows.upTo(shard, read), term)
  }

  /** Up to where the file has each shard. */
  #inFile(): ReadonlyMap<number, TailPosition> {
    return new Map([...this.#positions].map(([shard, read]) => [shard, this.#firstRows.upTo(shard, read)]))
  }
}
