import type { Database } from 'better-sqlite3'

type Moved = { readonly log: number; readonly checkpointed: number }

/** Pages in the write-ahead log, and how many of them do not stand in the file yet. Costs some microseconds. */
export const logState = (database: Database): { readonly pages: number; readonly unmoved: number } => {
  const [state] = database.pragma('wal_checkpoint(NOOP)') as readonly Moved[]
  if (state === undefined) throw new Error('SQLite does not say what its write-ahead log has')
  return { pages: state.log, unmoved: state.log - state.checkpointed }
}

/** Moves what no reader needs in the log into the file, without waiting for anybody. */
export const moveLog = (database: Database): void => {
  database.pragma('wal_checkpoint(PASSIVE)')
}
