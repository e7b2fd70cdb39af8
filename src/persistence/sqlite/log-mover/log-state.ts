import type { Database, Statement } from 'better-sqlite3'

type Moved = { readonly log: number; readonly checkpointed: number }

export type LogState = { readonly pages: number; readonly unmoved: number }

/** The writer asks behind each commit, and compiling the question costs four times what the answer does. */
const questions = new WeakMap<Database, Statement<[], Moved>>()

/** Pages in the write-ahead log, and how many of them do not stand in the file yet. Costs some microseconds. */
export const logState = (database: Database): LogState => {
  let question = questions.get(database)
  if (question === undefined) {
    question = database.prepare<[], Moved>('PRAGMA wal_checkpoint(NOOP)')
    questions.set(database, question)
  }
  const state = question.get()
  if (state === undefined) throw new Error('SQLite does not say what its write-ahead log has')
  return { pages: state.log, unmoved: state.log - state.checkpointed }
}

/** Moves what no reader needs in the log into the file, without waiting for anybody. */
export const moveLog = (database: Database): void => {
  database.pragma('wal_checkpoint(PASSIVE)')
}
