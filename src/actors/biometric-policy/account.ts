import { isRefused } from '../../domain/decider.ts'
import { NoSuchActor } from '../../ports/actors.ts'
import type { VendorAccount } from '../../ports/face-vendor.ts'
import type { Vault } from '../../ports/vault.ts'
import type { KindPorts } from '../kind-ports.ts'
import { type BiometricPolicy, policyOf } from './rules.ts'

type Ports = Pick<KindPorts, 'actors'> & { readonly vault: Pick<Vault, 'openTenant'> }

/** What the ciphertext of an organisation's credentials is bound to. */
const credentialsContext = (tenant: string): string => `${policyOf(tenant)} credentials`

export const sealCredentials = async (
  { vault }: Pick<Ports, 'vault'>,
  tenant: string,
  credentials: Readonly<Record<string, string>>,
): Promise<string> => {
  const key = await vault.openTenant(tenant)
  return key.seal(JSON.stringify(credentials), credentialsContext(tenant))
}

/** Null where the organisation has set none. */
export const readPolicy = async (
  { actors }: Pick<Ports, 'actors'>,
  tenant: string,
): Promise<BiometricPolicy | null> => {
  try {
    const found = await actors.read(policyOf(tenant), { tenant })
    return isRefused(found) ? null : found
  } catch (error) {
    // During an upgrade a node serves it that knows no policies; what it is asked for itself it does without one, too.
    if (error instanceof NoSuchActor) return null
    throw error
  }
}

type Entered = Pick<BiometricPolicy, 'settings' | 'sealedCredentials'>

export const openAccount = async (
  { vault }: Pick<Ports, 'vault'>,
  tenant: string,
  { settings, sealedCredentials }: Entered,
): Promise<VendorAccount> => {
  if (sealedCredentials === null) return { settings, credentials: {} }
  const key = await vault.openTenant(tenant)
  const opened = key.open(sealedCredentials, credentialsContext(tenant))
  if (opened === null) throw new Error('the credentials of the organisation cannot be opened')
  return { settings, credentials: JSON.parse(opened) as Record<string, string> }
}

/**
 * The account of a check that is under way: the one that it began with. A key that was exchanged in the same account
 * since then is taken, because the one before may be dead.
 */
export const accountOfCheck = async (
  ports: Ports,
  {
    tenant,
    vendor,
    account,
  }: { readonly tenant: string; readonly vendor: string; readonly account: Entered },
): Promise<VendorAccount> => {
  const policy = await readPolicy(ports, tenant)
  const isSame = policy !== null && policy.vendor === vendor && isAlike(policy.settings, account.settings)
  return openAccount(ports, tenant, isSame ? policy : account)
}

const isAlike = (one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => other[name] === value)
