import { KeyGone, type Vault } from '../../../../src/ports/vault.ts'

/** A vault for which an organisation begins wherever a test first names it. */
export const withAnyTenant = <Of extends Vault>(vault: Of): Of => {
  /** One that is erased stays so. */
  const begin = (tenant: string): Promise<void> =>
    vault.makeTenant(tenant).catch((error: unknown) => {
      if (!(error instanceof KeyGone)) throw error
    })
  return new Proxy(vault, {
    get: (_, name) => {
      if (name === 'create')
        return async (...[record, parent]: Parameters<Vault['create']>) => {
          await begin(parent.tenant)
          return vault.create(record, parent)
        }
      if (name === 'openTenant')
        return async (tenant: string) => {
          await begin(tenant)
          return vault.openTenant(tenant)
        }
      if (name === 'fingerprint')
        return async (tenant: string, text: string) => {
          await begin(tenant)
          return vault.fingerprint(tenant, text)
        }
      const value: unknown = Reflect.get(vault, name, vault)
      return typeof value === 'function' ? (value.bind(vault) as unknown) : value
    },
  })
}
