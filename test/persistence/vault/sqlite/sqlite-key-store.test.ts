import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import BetterSqlite3, { type Database } from 'better-sqlite3'
import { WRAPPED_BYTES } from '../../../../src/persistence/vault/key-crypto.ts'
import type { KeyStore } from '../../../../src/persistence/vault/key-store-port.ts'
import { openSqliteKeyStore } from '../../../../src/persistence/vault/sqlite/sqlite-key-store.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'

const keyOf = (record: string) => ({
  record,
  keyId: 'abcdEFGH',
  tenant: 't',
  connection: null,
  parentKeyId: null,
  wrapped: randomBytes(WRAPPED_BYTES),
})

describe('the key file while another process reads it', () => {
  let file: string
  let store: KeyStore
  let reader: Database

  beforeEach(async () => {
    file = join(temporaryFolder('key-store'), 'keys.sqlite')
    store = await openSqliteKeyStore(file)
    await store.insertKey(keyOf('cre_1'))
    reader = new BetterSqlite3(file, { readonly: true })
    reader.exec('BEGIN; SELECT count(*) FROM data_keys')
  })
  afterEach(async () => {
    reader.close()
    await store[Symbol.asyncDispose]()
  })

  const log = (): number => statSync(`${file}-wal`).size

  it('takes new keys while an erasure waits for the clean log, which it has when the reader ends', async () => {
    await store.eraseKeys('cre_1')
    let isClean = false
    const cleaned = store.cleanLog().then(() => (isClean = true))
    const begunMs = performance.now()
    for (let number = 2; number < 20; number++)
      expect(await store.insertKey(keyOf(`cre_${number}`))).toEqual([])
    expect(performance.now() - begunMs).toBeLessThan(900)
    expect(isClean).toBe(false)
    reader.exec('COMMIT')
    await cleaned
    expect(log()).toBe(0)
  })

  it("counts the erasure of an organisation's key as done when the log is clean", async () => {
    await store.setCurrentMaster(null, 'm1')
    const key = { tenant: 't', master: 'm1', wrapped: randomBytes(WRAPPED_BYTES) }
    expect(await store.insertTenantKey(key)).toEqual({ is: 'written' })
    let isErased = false
    const erased = store.eraseTenantKey('t').then(() => (isErased = true))
    expect(await store.readTenantKey('u')).toBeNull()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await store.readTenantKey('t')).toBeNull()
    expect(isErased).toBe(false)
    reader.exec('COMMIT')
    await erased
    expect(log()).toBe(0)
  })
})
