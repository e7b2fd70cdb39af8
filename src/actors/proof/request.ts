import { CONNECTION } from '../connection/effects.ts'
import { PROOF } from './effects.ts'
import { proofRequestOf } from './proof-request.ts'
import { templates } from '../proof-template/rules.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import type { ProofRecord } from './state.ts'
import { kindOf, shardOf } from '../../domain/shards.ts'
import { askBesideConnection, noConnection } from '../connection/ask-beside-connection.ts'
import { recordIdBeside } from '../ids.ts'
import { recordOfTenant } from '../read-record.ts'
import { activeTenant } from '../tenant/read.ts'
import type { UseCasePorts } from '../command-ports.ts'

export type RequestProofPorts = UseCasePorts & {
  /** What binds an answer to this request and to no other. */
  readonly newNonce: () => string
}

export type RequestProofOrder = {
  readonly tenant: string
  /** Chosen by the caller when a repeated request must find the same record. */
  readonly id?: string
  readonly connectionId: string
  readonly proofTemplateId: string
  readonly externalId: string | null
}

/** Relative dates are resolved now: what was asked is what is checked, however late the answer comes. */
export const requestProof = async (
  ports: RequestProofPorts,
  order: RequestProofOrder,
): Promise<{ readonly id: string; readonly proof: ProofRecord } | Refused> => {
  const { tenant, connectionId, proofTemplateId, externalId } = order
  const shard = shardOf(connectionId)
  if (shard === null || kindOf(connectionId) !== CONNECTION) return noConnection()
  const active = await activeTenant(ports, tenant)
  if (isRefused(active)) return active
  const template = await recordOfTenant(ports, templates, tenant, proofTemplateId)
  if (template?.status !== 'active')
    return refuse('proof_template_not_found', 'There is no proof template with this proofTemplateId.')
  const id = order.id ?? recordIdBeside(PROOF, shard, ports.runtime)
  const nowMs = ports.runtime.now()
  const command = {
    type: 'RequestProof',
    atMs: Math.floor(nowMs),
    tenant,
    connectionId,
    externalId,
    proofTemplateId,
    threadId: id,
    request: JSON.stringify(proofRequestOf(template, ports.newNonce(), nowMs)),
  }
  const reply = await askBesideConnection<{ proof: ProofRecord }>(
    ports,
    { tenant, connectionId },
    { actor: id, command },
  )
  return isRefused(reply) ? reply : { id, proof: reply.proof }
}
