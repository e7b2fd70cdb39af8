import { decrypt, encrypt } from './key-crypto.ts'
import { existingMasterKeys, type MasterKeyEntry } from './master-key-file.ts'
import { MasterKeyMissing, type MasterKeys } from './master-key-port.ts'

/** Master keys from a file on this machine. */
export class FileMasterKeys implements MasterKeys {
  readonly #file: string
  #entries: readonly MasterKeyEntry[]

  constructor(file: string) {
    this.#file = file
    this.#entries = existingMasterKeys(this.#file)
  }

  async ids(): Promise<readonly string[]> {
    return this.#entries.map(({ id }) => id)
  }

  async refresh(): Promise<void> {
    this.#entries = existingMasterKeys(this.#file)
  }

  async wrap(id: string, plain: Buffer, context: string): Promise<Buffer> {
    return encrypt(this.#find(id), plain, context)
  }

  async unwrap(id: string, wrapped: Buffer, context: string): Promise<Buffer> {
    const plain = decrypt(this.#find(id), wrapped, context)
    if (plain === null)
      throw new Error(`The key store is damaged: master key ${id} does not open ${context}.`)
    return plain
  }

  #find(id: string): Buffer {
    const entry = this.#entries.find((candidate) => candidate.id === id)
    if (entry === undefined) throw new MasterKeyMissing(id, this.#file)
    return entry.key
  }
}
