import { isRefused } from '../../domain/decider.ts'
import { LedgerRefused, type LedgerSigner } from '../../ports/ledger.ts'
import type { KindPorts } from '../kind-ports.ts'
import { tenant } from './rules.ts'

/**
 * Who signs for a tenant, once its identity is on the ledger; before that a throw, which means "not yet". Once the ledger
 * has refused the identity there is nothing to wait for.
 */
export const authorOf = async (
  { actors, signerOf }: Pick<KindPorts, 'actors' | 'signerOf'>,
  id: string,
): Promise<LedgerSigner> => {
  const found = await actors.read(tenant.ref(id))
  if (isRefused(found) || found.seed === null) throw new Error('the organisation has no identity')
  if (!found.registered && found.lastError !== null)
    throw new LedgerRefused(`the ledger has refused the identity of the organisation: ${found.lastError}`)
  if (!found.registered) throw new Error('the identity of the organisation is not on the ledger yet')
  return signerOf(found.seed)
}
