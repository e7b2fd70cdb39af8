import { joined } from '../bytes.ts'
import type { Cryptography, SecureKeys } from '../ports.ts'
import { WalletError } from '../wallet-error.ts'
import { KEY_BYTES } from './sealed-rows.ts'

/** Before the first row is stored, and from then on: a wallet without rows is new, or has lost them. */
const UNUSED = 0
const USED = 1

/** The key of a wallet, in the key chain. */
export class WalletKey {
  readonly #keys: SecureKeys
  readonly #name: string
  readonly value: Uint8Array
  #isUsed: boolean

  private constructor(keys: SecureKeys, name: string, value: Uint8Array, isUsed: boolean) {
    this.#keys = keys
    this.#name = name
    this.value = value
    this.#isUsed = isUsed
  }

  /** The key that belongs to what is stored. `hasSealedRows`: there is something that only the key opens. */
  static async of(
    keys: SecureKeys,
    name: string,
    cryptography: Pick<Cryptography, 'randomBytes'>,
    hasSealedRows: boolean,
  ): Promise<WalletKey> {
    const found = await keys.read(name)
    if (found === null) {
      if (hasSealedRows) throw lost('the key of the wallet is not in the key chain any more', 'key_missing')
      const key = new WalletKey(keys, name, cryptography.randomBytes(KEY_BYTES), false)
      await keys.write(name, joined(Uint8Array.of(UNUSED), key.value))
      return key
    }
    if (found.length !== KEY_BYTES + 1)
      throw lost('what is in the key chain is no key of a wallet', 'key_damaged')
    const isUsed = found[0] === USED
    if (isUsed && !hasSealedRows) throw lost('what the wallet had stored is gone', 'storage_lost')
    return new WalletKey(keys, name, found.slice(1), isUsed)
  }

  /** From now on a wallet without rows has lost them. */
  async used(): Promise<void> {
    if (this.#isUsed) return
    await this.#keys.write(this.#name, joined(Uint8Array.of(USED), this.value))
    this.#isUsed = true
  }
}

export const lost = (message: string, code: string): WalletError =>
  new WalletError('WalletKeyLost', message, { code })
