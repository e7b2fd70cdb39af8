import { createDecipheriv } from 'node:crypto'
import { REASON_CONTEXT } from '../../src/actors/audit-entry/commands.ts'
import { secretContext } from '../../src/actors/webhook-endpoint/commands.ts'
import { deriveKey } from '../../src/persistence/vault/key-crypto.ts'
import { envelopesIn } from './envelopes.ts'
import { Needles } from './needles.ts'
import type { OpenKeys } from './open-keys.ts'
import { type Place, unhurried } from './places.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** A sealed field under a record's key: a letter, the id of the key, then base64url (src/persistence/vault/record-key.ts). */
const RECORD_FORMAT = 'A'
/** A secret under an organisation's key: a letter, then base64url (src/persistence/vault/tenant-keys.ts). */
const TENANT_FORMAT = 'T'
const BYTES_MAX = 4 << 20
/**
 * The end of what is sealed as bytes is not to be seen in them, so behind every id of a key so much is opened; the store
 * of keys itself has thousands of such ids.
 */
const RAW_BYTES_MAX = 8 << 10
const TENANT_SEALED = new RegExp(`(?<![A-Za-z0-9_-])${TENANT_FORMAT}[A-Za-z0-9_-]{38,}`, 'g')
const ACTOR_ID = /(?:idc|whk)_[0-9a-f]{2}[0-9a-z]{8,64}/g
/** How deep sealed texts may stand in sealed texts. */
const DEPTH_MAX = 2

/**
 * Everything that the keys open in the places, wherever it stands: in rows, in freed pages, in logs. Sealed texts are
 * found by their form. They are opened without a look at their tag, so that one of which only the beginning is left is
 * read as well. Keys of our own that are among them open what we have written to wallets.
 */
export const openedIn = async (places: readonly Place[], keys: OpenKeys): Promise<readonly Place[]> => {
  const opened = await unsealedIn(places, keys, 0)
  return [...opened, ...envelopesIn(places, opened)]
}

const unsealedIn = async (
  places: readonly Place[],
  keys: OpenKeys,
  depth: number,
): Promise<readonly Place[]> => {
  if (depth === DEPTH_MAX || places.length === 0) return []
  const seen = new Set<string>()
  // In every file, so that each of them is named.
  const isNew = ({ name, bytes }: Place): boolean => {
    const content = `${name}\n${bytes.toString('latin1')}`
    return !seen.has(content) && seen.add(content) !== null
  }
  const contexts = contextsIn(places)
  const ids = idsOf(keys)
  const opened: Place[] = []
  for await (const place of unhurried(places))
    opened.push(...[...underRecords(place, ids), ...underTenants(place, keys, contexts)].filter(isNew))
  return [...opened, ...(await unsealedIn(opened, keys, depth + 1))]
}

type RecordKeyId = { readonly key: OpenKeys['records'][number]; readonly isText: boolean }

/** The ids of keys stand before what they have sealed. A body beside the journal may have the same as bytes. */
const idsOf = ({ records }: OpenKeys): Needles<RecordKeyId> => {
  const ids = new Needles<RecordKeyId>()
  for (const key of records) {
    ids.add(Buffer.from(RECORD_FORMAT + key.keyId), { key, isText: true })
    ids.add(Buffer.from(key.keyId, 'base64url'), { key, isText: false })
  }
  return ids
}

function* underRecords({ name, bytes }: Place, ids: Needles<RecordKeyId>): Generator<Place> {
  for (const { of, behind } of ids.in(bytes)) {
    const { key, isText: isEncoded } = of
    const box = isEncoded ? base64From(bytes, behind) : bytes.subarray(behind, behind + RAW_BYTES_MAX)
    yield { name: `${name}, opened by the key of ${key.record}`, bytes: decrypt(key.sealing, box) }
  }
}

function* underTenants(
  { name, bytes }: Place,
  { tenants }: OpenKeys,
  contexts: readonly string[],
): Generator<Place> {
  const sealed = new Set(bytes.toString('latin1').match(TENANT_SEALED))
  if (sealed.size === 0) return
  for (const { tenant, root } of tenants)
    for (const context of contexts) {
      const sealing = deriveKey(root, `seal ${context}`)
      for (const text of sealed) {
        const box = Buffer.from(text.slice(TENANT_FORMAT.length), 'base64url')
        // Under another context it is noise.
        if (isText(decrypt(sealing, box.subarray(0, NONCE_BYTES + TAG_BYTES))))
          yield { name: `${name}, opened by the key of ${tenant}`, bytes: decrypt(sealing, box) }
      }
    }
}

/** Contexts are the ids of records that keep a secret; all that stand anywhere are tried. */
const contextsIn = (places: readonly Place[]): readonly string[] => {
  const ids = new Set(places.flatMap(({ bytes }) => bytes.toString('latin1').match(ACTOR_ID) ?? []))
  return [REASON_CONTEXT, ...[...ids].flatMap((id) => [id, secretContext(id)])]
}

const isText = (bytes: Buffer): boolean => bytes.every((byte) => byte >= 0x20 && byte < 0x7f)

/** What AES-256-GCM has encrypted, without a check: its counter begins at two behind the nonce. */
const decrypt = (key: Buffer, box: Buffer): Buffer => {
  if (box.length <= NONCE_BYTES) return Buffer.alloc(0)
  const counter = Buffer.concat([box.subarray(0, NONCE_BYTES), Buffer.from([0, 0, 0, 2])])
  return createDecipheriv('aes-256-ctr', key, counter).update(box.subarray(NONCE_BYTES))
}

const isBase64 = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x2d ||
  byte === 0x5f

const base64From = (bytes: Buffer, start: number): Buffer => {
  let end = start
  while (end < bytes.length && end - start < BYTES_MAX && isBase64(bytes[end] ?? 0)) end++
  return Buffer.from(bytes.toString('latin1', start, end), 'base64url')
}
