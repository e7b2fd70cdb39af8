import { describe, expect, it } from 'vitest'
import { newKey } from '../../../src/persistence/vault/key-crypto.ts'
import { MasterKeyMissing, type MasterKeys } from '../../../src/persistence/vault/master-key-port.ts'
import { unwrapTenantKey, wrapTenantKey } from '../../../src/persistence/vault/master-key-use.ts'

/** A key service whose key arrives with a refresh. */
class LateKeys implements MasterKeys {
  refreshed = 0
  readonly #arrives: boolean
  constructor(arrives: boolean) {
    this.#arrives = arrives
  }
  async ids(): Promise<readonly string[]> {
    return []
  }
  async refresh(): Promise<void> {
    this.refreshed++
    if (!this.#arrives) throw new Error('the service is away')
  }
  async wrap(id: string, plain: Buffer, context: string): Promise<Buffer> {
    this.#refuse(id)
    return Buffer.concat([Buffer.from(context), plain])
  }
  async unwrap(id: string, wrapped: Buffer, context: string): Promise<Buffer> {
    this.#refuse(id)
    return wrapped.subarray(context.length)
  }
  #refuse(id: string): void {
    if (this.refreshed === 0 || !this.#arrives) throw new MasterKeyMissing(id, 'the service')
  }
}

describe('use of master keys', () => {
  it('refreshes once for a key that is missing, and goes on', async () => {
    const masters = new LateKeys(true)
    const root = newKey()
    const row = await wrapTenantKey(masters, 'm1', 'ten_1', root)
    expect(row).toMatchObject({ tenant: 'ten_1', master: 'm1' })
    expect(row.wrapped.toString('latin1')).toContain('tenant ten_1')
    expect(await unwrapTenantKey(masters, row)).toEqual(root)
    expect(masters.refreshed).toBe(1)
  })

  it('tells which key is missing when refreshing does not help', async () => {
    await expect(wrapTenantKey(new LateKeys(false), 'm1', 'ten_1', newKey())).rejects.toThrow(
      MasterKeyMissing,
    )
  })
})
