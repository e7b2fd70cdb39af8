import type { Vault } from '../../ports/vault.ts'
import type { UseCasePorts } from '../command-ports.ts'
import type { Passwords } from './passwords.ts'

export type AccountPorts = UseCasePorts & {
  readonly vault: Pick<Vault, 'fingerprint' | 'openTenant'>
  readonly passwords: Pick<Passwords, 'hash' | 'verify'>
  /** Where people open the console. */
  readonly consoleUrl: () => string
}

/** Whose account: of an organisation's member, or (null) of an operator of the service. */
export type Realm = string | null

/** Where a request came from, for the list of sessions and for the lock. */
export type Origin = { readonly address: string; readonly userAgent: string | null }
