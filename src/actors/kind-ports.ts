import type { Actors } from '../ports/actors.ts'
import type { AnonCreds } from '../ports/anoncreds.ts'
import type { Directory } from '../ports/directory.ts'
import type { Ledger, LedgerSigner } from '../ports/ledger.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { Vault } from '../ports/vault.ts'
import type { Deliver } from '../ports/wallets.ts'
import type { Catalogue } from './credential-definition/catalogue.ts'
import type { ActiveTenants } from './tenant/active-tenants.ts'

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
  /** The ledger's signer from a seed in base64url. */
  readonly signerOf: (seed: string) => LedgerSigner
}

/** What it hands to routes and to the commands behind them, which likewise name what they need. */
export type ApiPorts = CommonPorts & {
  readonly directory: Directory
  /** Names the ledger in the ids of schemas and definitions. */
  readonly namespace: string
  readonly newNonce: () => string
  /** Name and key on the ledger that belong to a seed. */
  readonly identityOf: (seed: Uint8Array) => { readonly did: string; readonly verkey: string }
  readonly activeTenants: Pick<ActiveTenants, 'refusal' | 'forget'>
}
