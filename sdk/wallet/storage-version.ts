import type { AgentContext } from '@credo-ts/core'
import { InjectionSymbols, type StorageService, StorageVersionRecord } from '@credo-ts/core'

/** Credo refuses a storage whose version it does not know; a fresh one is up to date by definition. */
export const seedStorageVersion = async (context: AgentContext): Promise<void> => {
  const storage = context.dependencyManager.resolve<StorageService<StorageVersionRecord>>(
    InjectionSymbols.StorageService,
  )
  const known = await storage.findByQuery(context, StorageVersionRecord, {})
  if (known.length > 0) return
  const record = new StorageVersionRecord({ storageVersion: StorageVersionRecord.frameworkStorageVersion })
  await storage.save(context, record)
}
