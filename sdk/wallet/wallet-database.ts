import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'

export const IN_MEMORY = ':memory:'

export const openDatabase = (file: string): Database.Database => {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  return database
}

/** A wallet that is lost is lost for good: there is no backup. */
export const removeDatabase = (file: string): void => {
  if (file === IN_MEMORY) return
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
}
