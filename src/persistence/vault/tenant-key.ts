import { createHmac } from 'node:crypto'
import type { RecordSeal } from '../../ports/vault.ts'
import { decrypt, deriveKey, encrypt } from './key-crypto.ts'

const FORMAT = 'T'

/**
 * A tenant's key in memory: it wraps connection and record keys, seals the tenant's secrets, and makes fingerprints.
 */
export class TenantKey implements RecordSeal {
  readonly tenant: string
  readonly #root: Buffer
  readonly #fingerprinting: Buffer

  constructor(tenant: string, root: Buffer) {
    this.tenant = tenant
    this.#root = root
    this.#fingerprinting = deriveKey(root, 'fingerprint')
  }

  wrappingKey(record: string): Buffer {
    return deriveKey(this.#root, `wrap ${record}`)
  }

  fingerprint(text: string): string {
    return createHmac('sha256', this.#fingerprinting).update(text).digest('base64url')
  }

  /** The sealing key is derived per context: a tenant may have millions of secrets, each context has few. */
  seal(plain: string, context: string): string {
    return FORMAT + encrypt(this.#sealingKey(context), plain, this.#bound(context)).toString('base64url')
  }

  open(sealed: string, context: string): string {
    const box = Buffer.from(sealed.slice(FORMAT.length), 'base64url')
    const plain = sealed.startsWith(FORMAT)
      ? decrypt(this.#sealingKey(context), box, this.#bound(context))
      : null
    if (plain === null) throw new Error(`${this.tenant} has a sealed secret that was altered or moved`)
    return plain.toString()
  }

  #sealingKey(context: string): Buffer {
    return deriveKey(this.#root, `seal ${context}`)
  }

  #bound(context: string): string {
    return `${this.tenant.length} ${this.tenant} ${context}`
  }
}
