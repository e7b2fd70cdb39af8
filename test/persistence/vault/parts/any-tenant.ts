import type { Vault } from '../../../../src/ports/vault.ts'

/** A vault for which an organisation begins wherever a test first names it. */
export const withAnyTenant = <Of extends Vault>(vault: Of): Of =>
  new Proxy(vault, {
    get: (_, name) => {
      if (name === 'create')
        return async (...[record, parent]: Parameters<Vault['create']>) => {
          await vault.makeTenant(parent.tenant)
          return vault.create(record, parent)
        }
      if (name === 'openTenant')
        return async (tenant: string) => {
          await vault.makeTenant(tenant)
          return vault.openTenant(tenant)
        }
      if (name === 'fingerprint')
        return async (tenant: string, text: string) => {
          await vault.makeTenant(tenant)
          return vault.fingerprint(tenant, text)
        }
      const value: unknown = Reflect.get(vault, name, vault)
      return typeof value === 'function' ? (value.bind(vault) as unknown) : value
    },
  })
