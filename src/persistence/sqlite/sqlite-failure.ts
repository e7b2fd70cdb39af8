import BetterSqlite3 from 'better-sqlite3'
import type { ThreadFailure } from './thread-messages.ts'

/**
 * Whether an error left the transaction applied. A failed sync at COMMIT leaves open whether the bytes reached the disk
 * (they may be found there after a power cut); everything before it, and a full disk at any time, was rolled back.
 */
export const describeFailure = (
  file: string,
  error: unknown,
  phase: 'running' | 'committing',
): ThreadFailure => {
  const message = error instanceof Error ? error.message : String(error)
  if (isDefect(error)) return { is: 'defect', message }
  const full = codeOf(error) === 'SQLITE_FULL'
  return {
    is: phase === 'committing' && !full ? 'unknown' : 'not-applied',
    message: `${file}: ${message}`,
  }
}

/** True for a call that breaks a rule of the file, in contrast to a file that cannot be written. */
export const isDefect = (error: unknown): boolean => {
  const code = codeOf(error)
  return code === null || /^SQLITE_(CONSTRAINT|MISMATCH|RANGE|TOOBIG|ERROR)/.test(code)
}

/** After a failed read, write or sync the connection must be opened again: its view of the file is not to be trusted. */
export const needsReopening = (error: unknown): boolean =>
  /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|PROTOCOL)/.test(codeOf(error) ?? '')

const codeOf = (error: unknown): string | null =>
  error instanceof BetterSqlite3.SqliteError ? error.code : null
