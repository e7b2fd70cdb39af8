import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import { readPolicy } from '../biometric-policy/account.ts'
import { createExchange, newExchangeId } from '../connection/for-exchanges.ts'
import { connection, noSuchConnection } from '../connection/rules.ts'
import { createChecked, type FaceCheckPorts, type SentImage, vendorMissing } from '../face-check/begin.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { ownRecord } from '../own-record.ts'
import { proofTemplate, type TemplateRecord } from '../proof-template/rules.ts'
import { activeTenant } from '../tenant/read.ts'
import { proofRequestOf } from './proof-request.ts'
import { proof } from './rules.ts'
import type { ProofRecord } from './state.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'newNonce' | 'catalogue'> & FaceCheckPorts

export type RequestProofOrder = {
  readonly tenant: string
  /** Chosen by the caller when a repeated request must find the same record. */
  readonly id?: string
  /** The id was made for this order a moment ago, and no other has it. */
  readonly isNew?: boolean
  readonly connectionId: string
  readonly proofTemplateId: string
  readonly externalId: string | null
  /** Where no check is needed nobody looks at it. */
  readonly referenceImage?: SentImage
}

/** Relative dates are resolved now: what was asked is what is checked, however late the answer comes. */
export const requestProof = async (
  ports: Ports,
  order: RequestProofOrder,
): Promise<{ readonly id: string; readonly proof: ProofRecord } | Refused> => {
  const { tenant, connectionId, proofTemplateId, externalId } = order
  if (connection.find(connectionId) === null) return noSuchConnection
  const active = await activeTenant(ports, tenant)
  if (isRefused(active)) return active
  const template = await ownRecord(ports, proofTemplate, tenant, proofTemplateId)
  if (template?.status !== 'active')
    return refuse('proof_template_not_found', 'There is no proof template with this proofTemplateId.')
  const own = await ownDefinitions(ports, tenant, template)
  const ref = proof.ref(order.id ?? newExchangeId(proof, connectionId, ports.runtime))
  const nowMs = ports.runtime.now()
  const command = {
    type: 'RequestProof',
    atMs: Math.floor(nowMs),
    tenant,
    connectionId,
    externalId,
    proofTemplateId,
    threadId: ref,
    request: JSON.stringify(proofRequestOf(template, own, ports.newNonce(), nowMs)),
  } as const
  const isGated = template.biometricRequired === true
  const policy = isGated ? await readPolicy(ports, tenant) : null
  if (isGated && policy === null) return vendorMissing
  const asked =
    policy === null
      ? await createExchange(ports, order, ref, command)
      : await createChecked(ports, order, { policy, exchange: ref, command })
  return isRefused(asked) ? asked : { id: ref, proof: asked }
}

/** Those among the ledger ids of a template that the organisation issues itself. */
const ownDefinitions = async (
  { catalogue }: Ports,
  tenant: string,
  { groups }: TemplateRecord,
): Promise<ReadonlySet<string>> => {
  const named = [...new Set(groups.flatMap(({ credentialDefinitionIds }) => credentialDefinitionIds))]
  const found = await Promise.all(named.map((id) => catalogue.issuing(tenant, id)))
  return new Set(named.filter((id, index) => found[index]?.ledgerId === id))
}
