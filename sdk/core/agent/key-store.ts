import { base64UrlOf, fromBase64 } from '../bytes.ts'
import type { Cryptography, KeyPair } from '../ports.ts'
import { Kept } from '../rows/kept.ts'
import type { RowStore } from '../rows/row-store.ts'

export type StoredKey = KeyPair & { readonly id: string }

type KeyRow = { readonly public: string; readonly secret: string }

/** The wallet's Ed25519 keys. */
export class KeyStore {
  readonly #keys: Kept<KeyRow>
  readonly #cryptography: Pick<Cryptography, 'newSigningKey' | 'toCurve'>
  readonly #curves = new Map<string, KeyPair>()

  constructor(rows: RowStore, cryptography: Pick<Cryptography, 'newSigningKey' | 'toCurve'>) {
    this.#keys = new Kept(rows, 'key')
    this.#cryptography = cryptography
  }

  create(id: string | undefined, seed?: Uint8Array): StoredKey {
    const { publicKey, secretKey } = this.#cryptography.newSigningKey(seed)
    const key = { id: id ?? base64UrlOf(publicKey), publicKey, secretKey }
    this.#keys.put(key.id, { public: base64UrlOf(publicKey), secret: base64UrlOf(secretKey) })
    return key
  }

  find(id: string): StoredKey | null {
    const row = this.#keys.find(id)
    const [publicKey, secretKey] = [fromBase64(row?.public ?? ''), fromBase64(row?.secret ?? '')]
    return row === null || publicKey === null || secretKey === null ? null : { id, publicKey, secretKey }
  }

  /** The same key as one to seal with, which takes a while to work out. */
  curveOf(key: StoredKey): KeyPair {
    const known = this.#curves.get(key.id)
    if (known !== undefined) return known
    const curve = this.#cryptography.toCurve(key)
    this.#curves.set(key.id, curve)
    return curve
  }

  delete(id: string): boolean {
    const isThere = this.#keys.find(id) !== null
    if (isThere) this.#keys.remove(id)
    this.#curves.delete(id)
    return isThere
  }
}
