import type { DependencyManager, Module } from '@credo-ts/core'
import { InjectionSymbols } from '@credo-ts/core'
import type { SqliteRecordStorage } from './record-storage.ts'

/** Puts our storage in the place of the one that Credo would bring. */
export const storageModule = (storage: SqliteRecordStorage<never>): Module => ({
  register(dependencies: DependencyManager): void {
    dependencies.registerInstance(InjectionSymbols.StorageService, storage)
  },
})
