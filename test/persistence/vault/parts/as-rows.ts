import type { DataKeyRow, StoredKeys } from '../../../../src/persistence/vault/key-store-port.ts'

/** The keys themselves; none where the store says that they are gone. */
export const asRows = (stored: StoredKeys): readonly DataKeyRow[] =>
  typeof stored === 'string' ? [] : stored
