import { TEMPLATE } from '../actors/catalogue/proof-template.ts'
import { CONNECTION } from '../actors/exchanges/connection.ts'
import { PROOF } from '../actors/exchanges/proof.ts'
import { proofRequestOf } from '../domain/catalogue/proof-request.ts'
import type { TemplateRecord, TemplateReply } from '../domain/catalogue/proof-template.ts'
import { isRefused, type Refused, refuse } from '../domain/exchanges/change.ts'
import type { ProofRecord } from '../domain/exchanges/proof-types.ts'
import { kindOf, shardOf } from '../domain/shards.ts'
import { askBesideConnection } from './ask-beside-connection.ts'
import { recordIdBeside } from './ids.ts'
import { newNonce } from './nonce.ts'
import { activeTenant } from './read-tenant.ts'
import type { UseCasePorts } from './use-case-ports.ts'

export type ProofOrder = {
  readonly tenant: string
  /** Chosen by the caller when a repeated request must find the same record. */
  readonly id?: string
  readonly connectionId: string
  readonly proofTemplateId: string
  readonly externalId: string | null
}

/** Relative dates are resolved now: what was asked is what is checked, however late the answer comes. */
export const requestProof = async (
  ports: UseCasePorts,
  order: ProofOrder,
): Promise<{ readonly id: string; readonly proof: ProofRecord } | Refused> => {
  const { tenant, connectionId, proofTemplateId, externalId } = order
  const shard = shardOf(connectionId)
  if (shard === null || kindOf(connectionId) !== CONNECTION)
    return refuse('connection_not_found', 'There is no connection with this connectionId.')
  const active = await activeTenant(ports, tenant)
  if (isRefused(active)) return active
  const template = await readTemplate(ports, tenant, proofTemplateId)
  if (isRefused(template)) return template
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
    request: JSON.stringify(proofRequestOf(template, newNonce(), nowMs)),
  }
  const reply = await askBesideConnection<{ proof: ProofRecord }>(
    ports,
    { tenant, connectionId },
    { actor: id, command },
  )
  return isRefused(reply) ? reply : { id, proof: reply.proof }
}

const readTemplate = async (
  { actors, askTimeoutMs }: UseCasePorts,
  tenant: string,
  id: string,
): Promise<TemplateRecord | Refused> => {
  const unknown = refuse('proof_template_not_found', 'There is no proof template with this proofTemplateId.')
  if (shardOf(id) === null || kindOf(id) !== TEMPLATE) return unknown
  const options = { commandId: '', timeoutMs: askTimeoutMs, tenant }
  const reply = await actors.ask<TemplateReply>(id, { type: 'ReadProofTemplate' }, options)
  const usable = 'template' in reply && reply.template.tenant === tenant && reply.template.status === 'active'
  return usable ? reply.template : unknown
}
