import { MasterKeyMissing, type MasterKeys } from './master-key-port.ts'
import type { TenantKeyRow } from './key-store-port.ts'

/** The ciphertext is bound to the tenant: a wrapped key moved to another tenant's row does not open. */
const contextOf = (tenant: string): string => `tenant ${tenant}`

export const wrapTenantKey = async (
  masters: MasterKeys,
  master: string,
  tenant: string,
  root: Buffer,
): Promise<TenantKeyRow> => ({
  tenant,
  master,
  wrapped: await withKey(masters, () => masters.wrap(master, root, contextOf(tenant))),
})

export const unwrapTenantKey = (masters: MasterKeys, row: TenantKeyRow): Promise<Buffer> =>
  withKey(masters, () => masters.unwrap(row.master, row.wrapped, contextOf(row.tenant)))

/** A rotation on another node may have brought a key that this process has not read yet. */
const withKey = async <Result>(masters: MasterKeys, use: () => Promise<Result>): Promise<Result> => {
  try {
    return await use()
  } catch (error) {
    if (!(error instanceof MasterKeyMissing)) throw error
    try {
      await masters.refresh()
    } catch {
      throw error
    }
    return await use()
  }
}
