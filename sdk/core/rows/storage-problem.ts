import { WalletError } from '../wallet-error.ts'

/** What is wrong with a storage, by what the app can do about it. An adapter says it with the error that it throws. */
export type StorageProblem = 'storage_damaged' | 'storage_in_use' | 'storage_unavailable' | 'storage_failed'

export const storageProblem = (code: StorageProblem, message: string, cause?: unknown): WalletError =>
  new WalletError('Internal', message, cause === undefined ? { code } : { code, cause })
