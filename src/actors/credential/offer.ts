import { attributeProblem } from '../../domain/attributes.ts'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import type { Ref } from '../../domain/references.ts'
import { readPolicy } from '../biometric-policy/account.ts'
import type { BiometricPolicy } from '../biometric-policy/rules.ts'
import { createExchange, newExchangeId } from '../connection/for-exchanges.ts'
import { connection, noSuchConnection } from '../connection/rules.ts'
import { createChecked, type FaceCheckPorts, type SentImage } from '../face-check/begin.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { activeTenant } from '../tenant/read.ts'
import { credential, type CredentialTypes } from './rules.ts'
import type { CredentialCommand, CredentialRecord } from './state.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'newNonce' | 'catalogue'>

export type OfferCredentialOrder = {
  readonly tenant: string
  /** Chosen by the caller when a repeated request must find the same record. */
  readonly id?: string
  /** The id was made for this order a moment ago, and no other has it. */
  readonly isNew?: boolean
  readonly connectionId: string
  /** Catalogue id or ledger id. */
  readonly credentialDefinitionId: string
  readonly attributes: Readonly<Record<string, string>>
  readonly externalId: string | null
  /** Without a policy that applies nobody looks at it. */
  readonly referenceImage?: SentImage
}

export type OfferedCredential = { readonly id: string; readonly credential: CredentialRecord }

/** Gathers what the offer needs, then asks connection and credential together: either both agree or nothing happens. */
export const offerCredential = async (
  ports: Ports & FaceCheckPorts,
  order: OfferCredentialOrder,
): Promise<OfferedCredential | Refused> => {
  const prepared = await prepareOffer(ports, order)
  if (isRefused(prepared)) return prepared
  const { ref, command, policy } = prepared
  const offered =
    policy === null
      ? await createExchange(ports, order, ref, command)
      : await createChecked(ports, order, { policy, exchange: ref, command })
  return isRefused(offered) ? offered : { id: ref, credential: offered }
}

/** The same for one of many, which come without images: where a face check comes first it is refused. */
export const offerWithoutImage = async (
  ports: Ports,
  order: Omit<OfferCredentialOrder, 'referenceImage'>,
): Promise<OfferedCredential | Refused> => {
  const prepared = await prepareOffer(ports, order)
  if (isRefused(prepared)) return prepared
  const { ref, command, policy } = prepared
  if (policy !== null) return offeredAlone
  const offered = await createExchange(ports, order, ref, command)
  return isRefused(offered) ? offered : { id: ref, credential: offered }
}

const offeredAlone = refuse(
  'biometric_reference_required',
  'A face check comes first: offer it by itself, with its biometric.referenceImage.',
)

type PreparedOffer = {
  readonly ref: Ref<CredentialTypes>
  readonly command: Extract<CredentialCommand, { type: 'OfferCredential' }>
  /** Of the face check that comes first; null: none does. */
  readonly policy: BiometricPolicy | null
}

const prepareOffer = async (ports: Ports, order: OfferCredentialOrder): Promise<PreparedOffer | Refused> => {
  const { tenant, connectionId, externalId, attributes } = order
  if (connection.find(connectionId) === null) return noSuchConnection
  const active = await activeTenant(ports, tenant)
  if (isRefused(active)) return active
  const found = await ports.catalogue.definition(tenant, order.credentialDefinitionId)
  if (found === null)
    return refuse(
      'credential_definition_not_found',
      'There is no credential definition with this credentialDefinitionId.',
    )
  if (found.status !== 'published' || found.issuing === null)
    return refuse(
      'credential_definition_not_published',
      `The credential definition is ${found.status}; it must be published.`,
    )
  const { issuing } = found
  const nowMs = ports.runtime.now()
  const problem = attributeProblem({ attributes, schemaAttributes: issuing.attributes, nowMs })
  if (problem !== null) return refuse(problem.code, problem.reason)
  const ref = credential.ref(order.id ?? newExchangeId(credential, connectionId, ports.runtime))
  const command = {
    type: 'OfferCredential',
    atMs: Math.floor(nowMs),
    tenant,
    connectionId,
    externalId,
    definition: { catalogueId: issuing.catalogueId, ledgerId: issuing.ledgerId },
    threadId: ref,
    nonce: ports.newNonce(),
    attributes,
  } as const
  const policy = await readPolicy(ports, tenant)
  const isGated = policy !== null && policy.credentialDefinitionIds.includes(issuing.catalogueId)
  return { ref, command, policy: isGated ? policy : null }
}
