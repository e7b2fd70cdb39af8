import pLimit from 'p-limit'
import type { KeyStore, TenantKeyRow } from './key-store-port.ts'
import { MasterKeyMissing, type MasterKeys } from './master-key-port.ts'
import { unwrapTenantKey, wrapTenantKey } from './master-key-use.ts'

const PAGE = 200

export type RotationProgress = (rewrapped: number) => void

/**
 * Brings every tenant key under `next`. Running nodes go on working: from the first step on the store refuses new
 * tenant keys under the old master key, and nodes read the new one from the key file when they meet its name. When it
 * is stopped anywhere, the same call continues where it was. Resolves with the number of keys it rewrapped.
 */
export const rewrapTenantKeys = async (
  store: KeyStore,
  masters: MasterKeys,
  next: string,
  progress: RotationProgress = () => {},
): Promise<number> => {
  await makeCurrent(store, masters, next)
  let rewrapped = 0
  const atOnce = pLimit(store.rewrapsAtOnce)
  for await (const rows of tenantKeyPages(store)) {
    const done = await atOnce.map(rows, (row) => rewrap(store, masters, row, next))
    rewrapped += done.filter(Boolean).length
    progress(rewrapped)
  }
  return rewrapped
}

/** Ids of the master keys that some tenant key still needs. */
export const mastersInUse = async (store: KeyStore): Promise<ReadonlySet<string>> => {
  const inUse = new Set<string>()
  for await (const rows of tenantKeyPages(store)) for (const { master } of rows) inUse.add(master)
  return inUse
}

/**
 * Refuses to leave a master key that this file does not have: with the wrong key file a rotation would end with keys
 * that cannot be opened.
 */
const makeCurrent = async (store: KeyStore, masters: MasterKeys, next: string): Promise<void> => {
  for (;;) {
    const current = await store.currentMaster()
    if (current !== null && !(await masters.ids()).includes(current)) {
      throw new MasterKeyMissing(current, 'this key file')
    }
    if (current === next || (await store.setCurrentMaster(current, next))) return
  }
}

const rewrap = async (
  store: KeyStore,
  masters: MasterKeys,
  row: TenantKeyRow,
  next: string,
): Promise<boolean> => {
  if (row.master === next) return false
  const root = await unwrapTenantKey(masters, row)
  const fresh = await wrapTenantKey(masters, next, row.tenant, root)
  root.fill(0)
  if (await store.rewrapTenantKey(row, fresh)) return true
  const now = await store.readTenantKey(row.tenant)
  if (now === null || now.master === next) return false
  throw new Error(`another rotation is running: it brought ${row.tenant} under the master key ${now.master}`)
}

async function* tenantKeyPages(store: KeyStore): AsyncGenerator<readonly TenantKeyRow[]> {
  for (let after: string | null = null; ; ) {
    const page: readonly TenantKeyRow[] = await store.listTenantKeys(after, PAGE)
    yield page
    after = page.at(-1)?.tenant ?? null
    if (page.length < PAGE) return
  }
}
