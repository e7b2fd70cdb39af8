import { randomUUID } from 'node:crypto'
import type Database from 'better-sqlite3'
import sodium from 'sodium-native'

export type StoredKey = { readonly id: string; readonly publicKey: Buffer; readonly secretKey: Buffer }

/** The wallet's Ed25519 keys. They never leave this database. */
export class KeyStore {
  readonly #insert: Database.Statement
  readonly #select: Database.Statement
  readonly #delete: Database.Statement

  constructor(database: Database.Database) {
    database.exec(
      'CREATE TABLE IF NOT EXISTS keys (id TEXT PRIMARY KEY, public BLOB NOT NULL, secret BLOB NOT NULL) WITHOUT ROWID',
    )
    this.#insert = database.prepare('INSERT INTO keys (id, public, secret) VALUES (?, ?, ?)')
    this.#select = database.prepare('SELECT id, public, secret FROM keys WHERE id = ?')
    this.#delete = database.prepare('DELETE FROM keys WHERE id = ?')
  }

  create(id: string | undefined, seed?: Uint8Array): StoredKey {
    const key = {
      id: id ?? randomUUID(),
      publicKey: Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES),
      secretKey: Buffer.alloc(sodium.crypto_sign_SECRETKEYBYTES),
    }
    if (seed) sodium.crypto_sign_seed_keypair(key.publicKey, key.secretKey, seed)
    else sodium.crypto_sign_keypair(key.publicKey, key.secretKey)
    this.#insert.run(key.id, key.publicKey, key.secretKey)
    return key
  }

  find(id: string): StoredKey | null {
    const row = this.#select.get(id) as { id: string; public: Buffer; secret: Buffer } | undefined
    return row ? { id: row.id, publicKey: row.public, secretKey: row.secret } : null
  }

  delete(id: string): boolean {
    return this.#delete.run(id).changes === 1
  }
}
