import { bytesOf, joined, textOf } from '../bytes.ts'
import type { Cryptography, Row } from '../ports.ts'
import { storageProblem } from './storage-problem.ts'

const IV_BYTES = 12
const TAG_BYTES = 16
export const KEY_BYTES = 32

/** Where a row lies is part of the seal, so none can be put in the place of another. */
const placeOf = (kind: string, id: string): Uint8Array => bytesOf(`${kind}\n${id}`)

/** Closes and opens what the wallet keeps, with the one key that is in the key chain. */
export class Seal {
  readonly #cryptography: Pick<Cryptography, 'sealContent' | 'openContent'>
  readonly #key: Uint8Array

  constructor(cryptography: Pick<Cryptography, 'sealContent' | 'openContent'>, key: Uint8Array) {
    this.#cryptography = cryptography
    this.#key = key
  }

  close(kind: string, id: string, text: string): Uint8Array {
    const { encrypted, iv, tag } = this.#cryptography.sealContent(bytesOf(text), this.#key, placeOf(kind, id))
    return joined(iv, tag, encrypted)
  }

  open({ kind, id, content }: Row): string {
    try {
      const iv = content.subarray(0, IV_BYTES)
      const tag = content.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
      const encrypted = content.subarray(IV_BYTES + TAG_BYTES)
      return textOf(this.#cryptography.openContent({ encrypted, iv, tag }, this.#key, placeOf(kind, id)))
    } catch (error) {
      throw storageProblem('storage_damaged', `a row of the kind ${kind} is damaged`, error)
    }
  }
}
