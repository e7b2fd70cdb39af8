import type { ClientAddress } from '../http/server/client-address.ts'
import type { Actors } from '../ports/actors.ts'
import type { AnonCreds } from '../ports/anoncreds.ts'
import type { Directory } from '../ports/directory.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { Vault } from '../ports/vault.ts'
import type { Deliver } from '../ports/wallets.ts'
import type { Passwords } from './account/passwords.ts'
import type { Catalogue } from './credential-definition/catalogue-port.ts'

type CommonPorts = {
  readonly actors: Actors
  readonly runtime: Runtime
  readonly vault: Vault
  readonly catalogue: Catalogue
}

/**
 * What the composition root hands to what kinds owe. The list is long because it serves all kinds; each function of a
 * kind names the few ports that it needs (`Pick<KindPorts, …>`).
 */
export type KindPorts = CommonPorts & {
  readonly anoncreds: AnonCreds
  readonly ledger: Pick<Ledger, 'registerIdentity' | 'publishSchema' | 'publishDefinition'>
  readonly deliver: Deliver
}

/** What it hands to routes and to the commands behind them, which likewise name what they need. */
export type ApiPorts = CommonPorts & {
  readonly directory: Directory
  /** Names the ledger in the ids of schemas and definitions. */
  readonly namespace: string
  readonly newNonce: () => string
  readonly passwords: Pick<Passwords, 'hash' | 'verify'>
  /** The address that people and wallets reach the service by; throws until the public port is open. */
  readonly publicUrl: () => string
  readonly clientAddress: ClientAddress
  /** Goes with the last question that is asked by a string. */
  readonly askTimeoutMs: number
}
