import { KeyGone } from '../../ports/vault.ts'
import { decrypt, encrypt } from './key-crypto.ts'
import type { DataKeyRow } from './key-store-port.ts'
import { RecordKey } from './record-key.ts'
import type { TenantKey } from './tenant-key.ts'

type Above = RecordKey | TenantKey
type Place = Omit<DataKeyRow, 'wrapped'>

export const wrapDataKey = (above: Above, place: Place, root: Buffer): DataKeyRow => {
  const wrapping = wrappingKey(above, place)
  if (wrapping === null) throw new KeyGone(place.connection ?? place.tenant)
  return { ...place, wrapped: encrypt(wrapping, root, contextOf(place)) }
}

/** Null when the key above was erased. */
export const unwrapDataKey = (above: Above, row: DataKeyRow): Buffer | null => {
  const wrapping = wrappingKey(above, row)
  if (wrapping === null) return null
  const root = decrypt(wrapping, row.wrapped, contextOf(row))
  if (root === null) throw new Error(`The key store is damaged: the key of ${row.record} does not open.`)
  return root
}

const wrappingKey = (above: Above, { record, parentKeyId }: Place): Buffer | null =>
  above instanceof RecordKey ? above.wrappingKey(parentKeyId ?? '', record) : above.wrappingKey(record)

/** The ciphertext is bound to its row: a wrapped key copied into another row does not open. */
const contextOf = ({ record, keyId, tenant, connection, parentKeyId }: Place): string =>
  JSON.stringify([record, keyId, tenant, connection, parentKeyId])
