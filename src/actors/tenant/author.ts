import type { TenantReply } from './rules.ts'
import type { LedgerSigner } from '../../ports/ledger.ts'
import type { Actors } from '../../ports/actors.ts'

const READ_TIMEOUT_MS = 5_000

export type AuthorPorts = {
  readonly actors: Actors
  /** The ledger's signer from a seed in base64url. */
  readonly signerOf: (seed: string) => LedgerSigner
}

/** Who signs for a tenant, once its identity is on the ledger; before that a throw, which means "not yet". */
export const authorOf = async ({ actors, signerOf }: AuthorPorts, tenant: string): Promise<LedgerSigner> => {
  const options = { commandId: '', timeoutMs: READ_TIMEOUT_MS, tenant: null }
  const reply = await actors.ask<TenantReply>(tenant, { type: 'ReadTenant' }, options)
  if (!('tenant' in reply) || reply.tenant.seed === null) throw new Error('the organisation has no identity')
  if (!reply.tenant.registered) throw new Error('the identity of the organisation is not on the ledger yet')
  return signerOf(reply.tenant.seed)
}
