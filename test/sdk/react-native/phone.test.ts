import nodeCrypto, { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import sodium from 'sodium-native'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RowStore } from '../../../sdk/core/rows/row-store.ts'
import { sodiumCryptography } from '../../../sdk/node/sodium-cryptography.ts'
import type {
  CryptoModule,
  DatabaseModule,
  KeychainModule,
  NativeModules,
  SodiumModule,
} from '../../../sdk/react-native/modules.ts'
import { phonePlatform } from '../../../sdk/react-native/phone-platform.ts'
import { phoneStorage } from '../../../sdk/react-native/phone-storage.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

// The modules of a phone, as Node has them.

const made = (length: number, work: (bytes: Buffer) => unknown): Uint8Array => {
  const bytes = Buffer.alloc(length)
  if (work(bytes) === false) throw new Error('it can not be opened')
  return bytes
}
const keyPair = (work: (publicKey: Buffer, secretKey: Buffer) => void) => {
  const [publicKey, privateKey] = [Buffer.alloc(32), Buffer.alloc(64)]
  work(publicKey, privateKey)
  return { publicKey, privateKey }
}

const phoneSodium: SodiumModule = {
  randombytes_buf: (length) => randomBytes(length),
  crypto_sign_keypair: () => keyPair((open, secret) => sodium.crypto_sign_keypair(open, secret)),
  crypto_sign_seed_keypair: (seed) =>
    keyPair((open, secret) => sodium.crypto_sign_seed_keypair(open, secret, seed)),
  crypto_sign_detached: (data, key) => made(64, (out) => sodium.crypto_sign_detached(out, data, key)),
  crypto_sign_verify_detached: (signature, data, key) =>
    sodium.crypto_sign_verify_detached(signature, data, key),
  crypto_sign_ed25519_pk_to_curve25519: (key) =>
    made(32, (out) => sodium.crypto_sign_ed25519_pk_to_curve25519(out, key)),
  crypto_box_seal: (plain, theirs) =>
    made(plain.length + 48, (out) => sodium.crypto_box_seal(out, plain, theirs)),
  crypto_box_seal_open: (sealed, open, secret) =>
    made(sealed.length - 48, (out) => sodium.crypto_box_seal_open(out, sealed, open, secret)),
  crypto_box_easy: (plain, iv, theirs, secret) =>
    made(plain.length + 16, (out) => sodium.crypto_box_easy(out, plain, iv, theirs, secret)),
  crypto_box_open_easy: (sealed, iv, theirs, secret) =>
    made(sealed.length - 16, (out) => sodium.crypto_box_open_easy(out, sealed, iv, theirs, secret)),
}

const phoneCrypto: CryptoModule = nodeCrypto

const phoneDatabases = (folder: string | null = null): DatabaseModule => {
  const databases = new Map<string, Database.Database>()
  const run = (database: Database.Database, sql: string, values: readonly unknown[] = []) => {
    const statement = database.prepare(sql)
    if (statement.reader) return { rows: statement.all(...values) }
    statement.run(...values)
    return { rows: [] }
  }
  return {
    async open(name) {
      const inFile = folder === null ? null : new Database(join(folder, name), { timeout: 0 })
      const database = inFile ?? databases.get(name) ?? new Database(':memory:')
      databases.set(name, database)
      return {
        execute: async (sql, values) => run(database, sql, values),
        async transaction(work) {
          database.exec('BEGIN')
          try {
            await work(async (sql, values) => run(database, sql, values))
            database.exec('COMMIT')
          } catch (error) {
            database.exec('ROLLBACK')
            throw error
          }
        },
        close: async () => void inFile?.close(),
      }
    },
    async remove(name) {
      databases.delete(name)
    },
  }
}

const phoneKeychain = (): KeychainModule => {
  const kept = new Map<string, string>()
  return {
    async getGenericPassword({ service }) {
      const password = kept.get(service)
      return password === undefined ? false : { password }
    },
    async setGenericPassword(_user, password, { service }) {
      kept.set(service, password)
    },
    async resetGenericPassword({ service }) {
      kept.delete(service)
    },
  }
}

const modules = (): NativeModules => ({
  sodium: phoneSodium,
  crypto: phoneCrypto,
  database: phoneDatabases(),
  keychain: phoneKeychain(),
  fetch: (url, init) => fetch(url, init),
  isOnline: async () => true,
  anoncreds: {} as NativeModules['anoncreds'],
  indyVdr: {} as NativeModules['indyVdr'],
})

describe('the adapter for phones', () => {
  it('keeps a wallet in a database, with its key in the key chain', async () => {
    const own = modules()
    const { secureKeys, cryptography } = phonePlatform(own)
    const open = (): Promise<RowStore> =>
      RowStore.open(phoneStorage(own.database, 'wallet'), secureKeys, cryptography)
    const rows = await open()
    await rows.step(async () => rows.put('thing', 'a', 'one'))
    await rows.close()
    expect((await open()).stored('thing', 'a')).toBe('one')
    await secureKeys.remove('wallet')
    await expect(open()).rejects.toMatchObject({ kind: 'WalletKeyLost' })
    await phoneStorage(own.database, 'wallet').erase()
    expect((await open()).stored('thing', 'a')).toBeNull()
  })

  it('keeps nothing under a key that the key chain did not take', async () => {
    const own = modules()
    const keychain: KeychainModule = { ...own.keychain, setGenericPassword: async () => false }
    const { secureKeys, cryptography } = phonePlatform({ ...own, keychain })
    const storage = phoneStorage(own.database, 'wallet')
    const refused = { kind: 'Internal', code: 'storage_unavailable' }
    await expect(RowStore.open(storage, secureKeys, cryptography)).rejects.toMatchObject(refused)
    const opened = await storage.open()
    expect(await opened.readAll()).toEqual([])
  })

  it('opens a database that nobody else has open, and says which one is damaged', async () => {
    const folder = temporaryFolder('vouchsafe-phone')
    const own = { ...modules(), database: phoneDatabases(folder) }
    const { secureKeys, cryptography } = phonePlatform(own)
    const open = (): Promise<RowStore> =>
      RowStore.open(phoneStorage(own.database, 'wallet'), secureKeys, cryptography)
    const rows = await open()
    await expect(open()).rejects.toMatchObject({ kind: 'Internal', code: 'storage_in_use' })
    await rows.step(async () => rows.put('thing', 'a', 'one'))
    await rows.close()
    const again = await open()
    expect(again.stored('thing', 'a')).toBe('one')
    await again.close()
    writeFileSync(join(folder, 'wallet'), 'something else altogether, and long enough'.repeat(50))
    await expect(open()).rejects.toMatchObject({ kind: 'Internal', code: 'storage_damaged' })
  })

  it('calls a database that was cut off damaged, or lost, and leaves it as it is', async () => {
    const folder = temporaryFolder('vouchsafe-phone')
    const own = { ...modules(), database: phoneDatabases(folder) }
    const { secureKeys, cryptography } = phonePlatform(own)
    const open = (): Promise<RowStore> =>
      RowStore.open(phoneStorage(own.database, 'wallet'), secureKeys, cryptography)
    const rows = await open()
    await rows.step(async () => {
      for (let number = 0; number < 100; number++) rows.put('thing', String(number), 'x'.repeat(500))
    })
    await rows.close()
    const file = join(folder, 'wallet')
    const whole = readFileSync(file)
    for (const part of [0.9, 0.5, 0.1, 0]) {
      const cut = whole.subarray(0, Math.floor(whole.length * part))
      writeFileSync(file, cut)
      await expect(open()).rejects.toMatchObject(
        part === 0 ? { kind: 'WalletKeyLost' } : { kind: 'Internal', code: 'storage_damaged' },
      )
      if (part > 0) expect(readFileSync(file).equals(cut)).toBe(true)
    }
    writeFileSync(file, whole)
    const again = await open()
    expect(again.allStored('thing').size).toBe(100)
    await again.close()
  })

  it('seals what the one for Node opens, and the other way round', () => {
    const phone = phonePlatform(modules()).cryptography
    const text = Buffer.from('between them')
    for (const [from, to] of [
      [phone, sodiumCryptography],
      [sodiumCryptography, phone],
    ] as const) {
      const [mine, theirs] = [from.newSigningKey(), to.newSigningKey()]
      const [own, other] = [from.toCurve(mine), to.toCurve(theirs)]
      expect(Buffer.from(to.toCurve(mine).secretKey)).toEqual(Buffer.from(own.secretKey))
      expect(to.verify(text, from.sign(text, mine.secretKey), mine.publicKey)).toBe(true)
      expect(Buffer.from(to.openAnonymous(from.sealAnonymous(text, other.publicKey), other))).toEqual(text)
      const iv = from.randomBytes(24)
      const between = from.sealBetween(text, iv, other.publicKey, own)
      expect(Buffer.from(to.openBetween(between, iv, own.publicKey, other))).toEqual(text)
      const key = from.randomBytes(32)
      const content = from.sealContent(text, key, Buffer.from('place'))
      expect(Buffer.from(to.openContent(content, key, Buffer.from('place')))).toEqual(text)
      expect(() => to.openContent(content, key, Buffer.from('other'))).toThrow()
      const bare = from.sealContent(new Uint8Array(), key, null)
      expect(Buffer.from(to.openContent(bare, key, null))).toEqual(Buffer.alloc(0))
      expect(Buffer.from(to.sha256(text))).toEqual(Buffer.from(from.sha256(text)))
    }
  })

  it('asks over fetch, and says where the answer came from', async () => {
    const server = createServer((request, response) => {
      response.writeHead(request.method === 'POST' ? 429 : 200, { 'Retry-After': '3' }).end('here')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`
    const { network } = phonePlatform(modules())
    const asked = { headers: {}, timeoutMs: 5_000 }
    const answer = await network.ask(url, { ...asked, method: 'POST', body: '{}' })
    expect([answer.status, answer.url, answer.retryAfter]).toEqual([429, url, '3'])
    expect(Buffer.from((await network.ask(url, { ...asked, method: 'GET' })).body).toString()).toBe('here')
  })
})
