import type { PendingCommand } from '../commands/pending-command.ts'
import type { Resident, UncommittedEntry } from '../residents/resident.ts'
import type { ShardContext } from '../shard-context.ts'
import type { ShardTimers } from '../timers/shard-timers.ts'
import type { JournalEntry } from '../../ports/journal.ts'
import type { DataKeys } from './data-keys.ts'
import type { EndOfTick } from './end-of-tick.ts'

export type BatchLimits = { readonly batchEntriesMax: number; readonly batchBytesMax: number }

/** An entry that was decided for an actor. */
export type DecidedEntry = { readonly resident: Resident; readonly entry: JournalEntry }

/** So many entries that may linger go at once. */
const LINGERING_MAX = 8
/** A commit costs a wake-up of the engine and a sync of the disk, so what nobody waits for waits for another so long. */
const LINGER_MS = 10
/** The same for a note that no caller can see: nearly always another commit comes first, and takes it along. */
const NOTE_LINGER_MS = 500

/** What a row holds beside the events: ids, sequence, what the engine adds. */
const ENTRY_OVERHEAD_BYTES = 128

/** A decided entry on its way into the journal. */
class QueuedEntry implements DecidedEntry, UncommittedEntry {
  readonly resident: Resident
  readonly entry: JournalEntry
  readonly bytes: number
  readonly ordinal: number
  /** False for an entry that must be in the same batch as the one behind it: they are of one atomic command. */
  readonly isLastOfCommand: boolean
  /** How long its commit may wait for another; for none as soon as somebody waits for it. */
  lingerMs: number
  readonly answeredAfter: PendingCommand[]

  constructor(
    { resident, entry }: DecidedEntry,
    ordinal: number,
    command: PendingCommand | null,
    lingerMs: number,
  ) {
    this.lingerMs = lingerMs
    this.resident = resident
    this.entry = entry
    this.ordinal = ordinal
    this.isLastOfCommand = command !== null
    this.answeredAfter = command === null ? [] : [command]
    let bytes = ENTRY_OVERHEAD_BYTES
    for (const event of entry.events) bytes += event.length
    this.bytes = bytes
  }
}

export type CommitParts = {
  readonly context: ShardContext
  readonly limits: BatchLimits
  readonly endOfTick: EndOfTick
  readonly timers: ShardTimers
  readonly keys: DataKeys
  /** The journal takes nothing any more. */
  readonly failed: (error: Error) => void
}

/**
 * Takes the entries of one shard to the journal in the order of decision, one batch at a time: what is decided while a
 * batch is under way makes the next one. After the commit the answers that were built on it leave.
 */
export class CommitQueue {
  readonly #parts: CommitParts
  #waiting: QueuedEntry[] = []
  #waitingBytes = 0
  #inFlight: readonly QueuedEntry[] = []
  #ordinal = 0
  /** Events of all entries that were ever added. */
  events = 0
  bytes = 0
  /** Batches that were handed to the journal. */
  batches = 0
  /** Ends of ticks until the next batch goes; 0: none is planned. */
  #ticksLeft = 0
  /** The planned batch has only entries that may linger. */
  #isLingering = false
  #mayLinger = true

  constructor(parts: CommitParts) {
    this.#parts = parts
  }

  get isIdle(): boolean {
    return this.#inFlight.length === 0 && this.#waiting.length === 0
  }

  /** The entries of one command, which is answered when they are committed, all in one batch. */
  add(entries: readonly DecidedEntry[], command: PendingCommand): void {
    const last = entries.at(-1)
    const lingerMs = lingerOf(command)
    for (const decided of entries) {
      const owner = decided === last ? command : null
      const queued = new QueuedEntry(decided, ++this.#ordinal, owner, lingerMs)
      this.#waiting.push(queued)
      this.#waitingBytes += queued.bytes
      this.events += decided.entry.events.length
      this.bytes += queued.bytes
      decided.resident.newestEntry = queued
    }
    if (lingerMs > 0 && this.#hasRoomToLinger()) this.#linger(lingerMs)
    else this.#schedule(1)
  }

  /** The reply is built on what these residents have decided so far, so it leaves when all of that is committed. */
  answerAfter(residents: readonly Resident[], command: PendingCommand): void {
    let newest: UncommittedEntry | null = null
    for (const { newestEntry } of residents) {
      if (newestEntry !== null && (newest === null || newestEntry.ordinal > newest.ordinal))
        newest = newestEntry
    }
    const [first] = residents
    if (newest !== null) {
      newest.answeredAfter.push(command)
      this.#hurry(newest)
    } else if (first !== undefined) this.#parts.keys.answer(command, first)
  }

  /** A reader or a command waits for all that the resident has decided. */
  hurry({ newestEntry }: Resident): void {
    if (newestEntry !== null) this.#hurry(newestEntry)
  }

  /** From now on nothing lingers: the shard is handed back. */
  stopLingering(): void {
    this.#mayLinger = false
    if (this.#isLingering) this.#parts.endOfTick.hurry()
  }

  /** For commands whose commit will not be known here. */
  failAll(error: Error): void {
    const lost = [...this.#inFlight, ...this.#waiting]
    this.#inFlight = []
    this.#waiting = []
    this.#waitingBytes = 0
    for (const { answeredAfter } of lost) for (const command of answeredAfter) command.fail(error)
  }

  /** Where a batch is under way the next one is planned after it, by what its entries say then. */
  #hurry(entry: UncommittedEntry): void {
    entry.lingerMs = 0
    if (this.#isLingering) this.#parts.endOfTick.hurry()
  }

  /** Everything that is decided in the ticks until then shares the batch. */
  #schedule(ticks: number): void {
    const { endOfTick } = this.#parts
    if (this.#isLingering) endOfTick.hurry()
    if (this.#ticksLeft > 0 || this.#inFlight.length > 0) return
    this.#ticksLeft = ticks
    endOfTick.call(this.#tickEnded)
  }

  #hasRoomToLinger(): boolean {
    return this.#mayLinger && this.#waiting.length < LINGERING_MAX
  }

  #linger(ms: number): void {
    const { endOfTick } = this.#parts
    if (this.#isLingering) endOfTick.within(ms)
    if (this.#ticksLeft > 0 || this.#inFlight.length > 0) return
    this.#ticksLeft = 1
    this.#isLingering = true
    endOfTick.callLater(this.#tickEnded, ms)
  }

  readonly #tickEnded = (): void => {
    this.#isLingering = false
    this.#ticksLeft--
    if (this.#ticksLeft > 0) this.#parts.endOfTick.call(this.#tickEnded)
    else this.#append()
  }

  #append(): void {
    const { context, failed } = this.#parts
    if (context.ended.aborted || this.#inFlight.length > 0 || this.#waiting.length === 0) return
    this.#inFlight = this.#takeBatch()
    this.batches++
    void context.journal.append(this.#inFlight.map(({ entry }) => entry)).then(this.#committed, failed)
  }

  /** The oldest entries that fit into one batch; those of one command go together, even when they are larger. */
  #takeBatch(): readonly QueuedEntry[] {
    const { batchEntriesMax, batchBytesMax } = this.#parts.limits
    let batch = this.#waiting
    if (batch.length <= batchEntriesMax && this.#waitingBytes <= batchBytesMax) {
      this.#waiting = []
      this.#waitingBytes = 0
      return batch
    }
    let bytes = 0
    let fitting = 0
    for (const [index, queued] of this.#waiting.entries()) {
      bytes += queued.bytes
      if (fitting > 0 && (index >= batchEntriesMax || bytes > batchBytesMax)) break
      if (queued.isLastOfCommand) fitting = index + 1
    }
    batch = this.#waiting.splice(0, fitting)
    for (const queued of batch) this.#waitingBytes -= queued.bytes
    return batch
  }

  /** No batch is in flight when the commands were failed meanwhile, because the shard was lost. */
  readonly #committed = (): void => {
    const { context, timers, keys } = this.#parts
    const batch = this.#inFlight
    this.#inFlight = []
    for (const queued of batch) {
      const { resident } = queued
      resident.state?.commit()
      if (resident.newestEntry === queued) resident.newestEntry = null
      resident.isSettling = true
      timers.add(queued.entry.timersSet)
      if (context.copies !== null && resident.definition.isCopied) context.copies.changed(resident.actor)
    }
    for (const { resident, answeredAfter } of batch)
      for (const command of answeredAfter) keys.answer(command, resident)
    for (const { resident } of batch) {
      if (!resident.isSettling) continue
      resident.isSettling = false
      resident.home.settled(resident)
    }
    const { length } = this.#waiting
    if (length === 0) return
    const lingerMs = this.#hasRoomToLinger() ? Math.min(...this.#waiting.map((each) => each.lingerMs)) : 0
    if (lingerMs > 0) this.#linger(lingerMs)
    // Askers who have an answer now may ask again at once: one tick to ask, one to decide, then the next batch has it too.
    else this.#schedule(2)
  }
}

const lingerOf = ({ mayLinger, isNote }: PendingCommand): number => {
  if (isNote) return NOTE_LINGER_MS
  return mayLinger ? LINGER_MS : 0
}
