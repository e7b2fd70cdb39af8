import { createHmac } from 'node:crypto'
import { KeyGone, KeyUnknown, LostSeal, type RecordSeal, type Vault } from '../../../src/ports/vault.ts'

/** Keys in memory; what is sealed can be seen to be, and the store can be away. */
export class MemoryVault implements Vault {
  readonly keys = new Set<string>()
  readonly calls: string[] = []
  isAway = false
  parentIsGone = false
  /** Of records that exist. */
  readonly unknown = new Set<string>()
  readonly lost = new Set<string>()

  async create(record: string): Promise<RecordSeal> {
    this.#call(`create ${record}`)
    if (this.parentIsGone) throw new KeyGone(record)
    this.keys.add(record)
    return this.#seal(record)
  }

  async open(record: string): Promise<RecordSeal> {
    this.#call(`open ${record}`)
    if (this.unknown.has(record)) throw new KeyUnknown(record)
    if (this.lost.has(record)) return new LostSeal(record)
    return this.#seal(record)
  }

  openElsewhere(record: string): Promise<RecordSeal> {
    return this.open(record)
  }

  async erase(record: string): Promise<void> {
    this.#call(`erase ${record}`)
    this.keys.delete(record)
  }

  async makeTenant(tenant: string): Promise<void> {
    this.keys.add(tenant)
  }

  async eraseTenant(tenant: string): Promise<void> {
    this.#call(`erase tenant ${tenant}`)
    this.keys.delete(tenant)
  }

  async openTenant(tenant: string): Promise<RecordSeal> {
    this.keys.add(tenant)
    return this.#seal(tenant)
  }

  async cleaned(): Promise<void> {}

  erasedElsewhere(): void {}

  async fingerprint(tenant: string, text: string): Promise<string> {
    return createHmac('sha256', tenant).update(text).digest('base64url')
  }

  async probe(): Promise<void> {}
  async [Symbol.asyncDispose](): Promise<void> {}

  #seal(record: string): RecordSeal {
    return {
      seal: (plain, context) => Buffer.from(`${context}\n${plain}`).toString('base64url'),
      open: (sealed, context) => {
        const [sealedFor, ...plain] = Buffer.from(sealed, 'base64url').toString().split('\n')
        return this.keys.has(record) && sealedFor === context ? plain.join('\n') : null
      },
      fingerprint: (text) => createHmac('sha256', record).update(text).digest('base64url'),
    }
  }

  #call(call: string): void {
    this.calls.push(call)
    if (this.isAway) throw Object.assign(new Error('away'), { retryable: true })
  }
}
