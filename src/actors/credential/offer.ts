import { CONNECTION } from '../connection/effects.ts'
import { CREDENTIAL } from './effects.ts'
import { attributeProblem } from '../../domain/attributes.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import type { CredentialRecord } from './state.ts'
import { askBesideConnection, noConnection } from '../connection/ask-beside-connection.ts'
import { recordIdBeside } from '../ids.ts'
import { newNonce } from '../nonce.ts'
import { activeTenant } from '../tenant/read.ts'
import type { CataloguePorts } from '../command-ports.ts'
import { kindOf, shardOf } from '../../domain/shards.ts'

export type OfferCredentialOrder = {
  readonly tenant: string
  /** Chosen by the caller when a repeated request must find the same record. */
  readonly id?: string
  readonly connectionId: string
  /** Catalogue id or ledger id. */
  readonly credentialDefinitionId: string
  readonly attributes: Readonly<Record<string, string>>
  readonly externalId: string | null
}

export type OfferedCredential = { readonly id: string; readonly credential: CredentialRecord }

/** Gathers what the offer needs, then asks connection and credential together: either both agree or nothing happens. */
export const offerCredential = async (
  ports: CataloguePorts,
  order: OfferCredentialOrder,
): Promise<OfferedCredential | Refused> => {
  const { tenant, connectionId, externalId, attributes } = order
  const shard = shardOf(connectionId)
  if (shard === null || kindOf(connectionId) !== CONNECTION) return noConnection()
  const active = await activeTenant(ports, tenant)
  if (isRefused(active)) return active
  const found = await ports.catalogue.definition(tenant, order.credentialDefinitionId)
  if (found === null)
    return refuse(
      'credential_definition_not_found',
      'There is no credential definition with this credentialDefinitionId.',
    )
  if (found.issuing === null)
    return refuse(
      'credential_definition_not_published',
      `The credential definition is ${found.status}; it must be published.`,
    )
  const { issuing } = found
  const nowMs = ports.runtime.now()
  const problem = attributeProblem({ attributes, schemaAttributes: issuing.attributes, nowMs })
  if (problem !== null) return refuse(problem.code, problem.reason)
  const id = order.id ?? recordIdBeside(CREDENTIAL, shard, ports.runtime)
  const command = {
    type: 'OfferCredential',
    atMs: Math.floor(nowMs),
    tenant,
    connectionId,
    externalId,
    definition: { catalogueId: issuing.catalogueId, ledgerId: issuing.ledgerId },
    threadId: id,
    nonce: newNonce(),
    attributes,
  }
  const reply = await askBesideConnection<{ credential: CredentialRecord }>(
    ports,
    { tenant, connectionId },
    { actor: id, command },
  )
  return isRefused(reply) ? reply : { id, credential: reply.credential }
}
