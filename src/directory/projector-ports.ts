import type { DirectoryRow } from '../ports/directory.ts'
import type { Journal, TailPosition } from '../ports/journal.ts'
import type { Parking } from '../ports/parking.ts'
import type { Runtime } from '../ports/runtime.ts'

/** By which a node of a cluster writes; undefined on a node that is alone, and is never another's turn. */
export type Term = number | undefined

/** Where the rows go. */
type ProjectedRows = {
  readonly positionOf: (shard: number) => Promise<TailPosition | null>
  /** The term is that in which the rows were asked for: one that is over by now is refused. */
  readonly write: (
    shard: number,
    rows: readonly DirectoryRow[],
    position: TailPosition,
    term: Term,
  ) => Promise<unknown>
}

export type ProjectorPorts = {
  readonly journal: Pick<Journal, 'readTail' | 'firstKeptNo' | 'savePosition' | 'onCommitted'>
  readonly directory: ProjectedRows
  readonly runtime: Pick<Runtime, 'sleep'>
  readonly shards: number
  /** The rows of the actor as it is now; none for kinds that are in no list. Rejects when the actor cannot answer at the moment. */
  readonly rowsOf: (actor: string) => Promise<readonly DirectoryRow[]>
  /** Whether the first row of an actor may wait a second, because it changes once more by then; left out: of none. */
  readonly firstRowWaits?: (actor: string) => boolean
  /** Knows the records whose rows stay as they are, because the actor cannot be read. */
  readonly parking: Parking
  /** All actors of a shard, also those whose events have left the log. */
  readonly actorsOf: (shard: number) => AsyncIterable<string>
  /** The rows of a shard had missed a part of the log that is gone, so they were rebuilt from its actors. */
  readonly rebuilt: (shard: number, records: number) => void
  /** A shard could not be followed; it is tried again. */
  readonly failed: (shard: number, error: unknown) => void
  /** The term in which a shard is followed here, null where it is not; left out on a node that is alone. `follow` says that one more is. */
  readonly termOf?: (shard: number) => number | null
  /** Up to where the log may be forgotten, as others may have to read it; null while nothing new may go. */
  readonly forgettable?: (shard: number, position: TailPosition) => TailPosition | null
}
