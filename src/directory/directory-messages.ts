import type { DirectoryRow, ListQuery } from '../ports/directory.ts'
import type { TailPosition } from '../ports/journal.ts'
import type { DirectoryWrite } from './sqlite-directory.ts'

/** What the directory's thread is asked for, and what it answers with. */
export type DirectoryOperations = {
  list: (query: ListQuery) => { readonly rows: readonly DirectoryRow[]; readonly total: number }
  positionOf: (shard: number) => TailPosition | null
  writeAll: (writes: readonly DirectoryWrite[]) => void
  close: () => void
}

export type DirectoryRequest = {
  readonly call: number
  readonly operation: keyof DirectoryOperations
  readonly input: unknown
}

export type DirectoryAnswer =
  | { readonly call: number; readonly value: unknown }
  | { readonly call: number; readonly failed: string }
