import type { Database } from 'better-sqlite3'

/**
 * SQLite silently ignores pragmas that it does not know or cannot apply now; one that makes commits durable must not
 * get lost like that.
 */
export const setAndVerify = (
  database: Database,
  pragma: string,
  value: string,
  expected: string | number,
): void => {
  database.pragma(`${pragma} = ${value}`)
  const actual = database.pragma(pragma, { simple: true })
  if (actual !== expected) throw new Error(`SQLite runs ${pragma}=${String(actual)} instead of ${value}`)
}

/**
 * Sorting, or undoing one statement of several, would otherwise write rows into files of the system's temporary folder, which
 * no erasure reaches. SQLite deletes their names at once, but nothing overwrites what stood in them.
 */
export const keepTemporaryInMemory = (database: Database): void =>
  setAndVerify(database, 'temp_store', 'MEMORY', 2)
