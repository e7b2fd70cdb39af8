import { type StorageProblem, storageProblem } from '../core/rows/storage-problem.ts'
import { WalletError } from '../core/wallet-error.ts'

/** SQLite's words for a file that somebody else has locked, and for one whose content is no (whole) database. */
const HELD = /^SQLITE_(?:BUSY|LOCKED)/
const DAMAGED = /^SQLITE_(?:CORRUPT|NOTADB)/

const reasonOf = (error: unknown): string => String((error as { code?: unknown }).code)

export const isHeld = (error: unknown): boolean => HELD.test(reasonOf(error))

const codeOf = (error: unknown): keyof typeof sentences => {
  if (isHeld(error)) return 'storage_in_use'
  return DAMAGED.test(reasonOf(error)) ? 'storage_damaged' : 'storage_unavailable'
}

/** What SQLite fails with is told by what the app can do about it. */
export const withStorageCodes = <Result>(work: () => Result): Result => {
  try {
    return work()
  } catch (error) {
    if (error instanceof WalletError) throw error
    throw storageProblem(codeOf(error), sentences[codeOf(error)], error)
  }
}

const sentences = {
  storage_in_use: 'another process has this wallet open',
  storage_damaged: 'the database of the wallet is damaged',
  storage_unavailable: 'the database of the wallet cannot be opened',
} as const satisfies Partial<Record<StorageProblem, string>>
