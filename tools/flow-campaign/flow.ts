import { setTimeout as pause } from 'node:timers/promises'
import type { WalletOptions } from '../../sdk/wallet/create-wallet.ts'
import type { Phone } from './phones.ts'
import type { Json, Tenant } from './tenant.ts'

/** What the API acknowledged to the organisation. */
export type Flow = {
  readonly number: number
  readonly name: string
  readonly connectionId: string
  readonly credentialId: string
  readonly proofId: string
}

export type FlowPlace = {
  readonly tenant: Tenant
  readonly network: Pick<WalletOptions, 'indyNamespace' | 'genesis'>
  readonly definitionId: string
  readonly templateId: string
}

const POLL_MS = 400
const STEP_LIMIT_MS = 5 * 60_000
const LIFETIME_SECONDS = 24 * 3_600
const OVER = new Set(['done', 'declined', 'abandoned', 'completed'])

/** One holder: connects, receives a credential, proves it; whatever becomes of the service meanwhile. */
export const runFlow = async (place: FlowPlace, number: number, phone: Phone): Promise<Flow> => {
  const { tenant, definitionId, templateId } = place
  const externalId = `flow-${number}`
  const name = `Holder ${number}`
  await limited('the wallet did not open', phone.open(place.network))
  const invitation = await tenant.post(
    '/v1/connections/invitations',
    { externalId },
    `${externalId}-invitation`,
  )
  await limited('the wallet did not connect', phone.connect(String(invitation['invitationUrl'])))
  const connectionId = await connectionOf(tenant, String(invitation['invitationId']))
  const expiresAt = String(Math.floor(Date.now() / 1_000) + LIFETIME_SECONDS)
  const offer = {
    connectionId,
    externalId,
    credentialDefinitionId: definitionId,
    attributes: { name, age: '36', expiresAt },
  }
  const offered = await tenant.post('/v1/credentials/offer', offer, `${externalId}-offer`)
  const credentialId = String(offered['id'])
  await over(tenant, `/v1/credentials/${credentialId}`)
  const request = { connectionId, proofTemplateId: templateId, externalId }
  const requested = await tenant.post('/v1/proofs/request', request, `${externalId}-request`)
  const proofId = String(requested['id'])
  await over(tenant, `/v1/proofs/${proofId}`)
  return { number, name, connectionId, credentialId, proofId }
}

const connectionOf = async (tenant: Tenant, invitationId: string): Promise<string> => {
  for (const startedMs = performance.now(); ; ) {
    const list = await tenant.get(`/v1/connections?invitationId=${invitationId}&state=completed`)
    const [found] = list['items'] as Json[]
    if (found) return String(found['id'])
    if (performance.now() - startedMs > STEP_LIMIT_MS)
      throw new Error(`${invitationId} led to no completed connection`)
    await pause(POLL_MS)
  }
}

/** Which end it is, the audit says. */
const over = async (tenant: Tenant, path: string): Promise<void> => {
  for (const startedMs = performance.now(); ; ) {
    const { state } = await tenant.get(path)
    if (OVER.has(String(state))) return
    if (performance.now() - startedMs > STEP_LIMIT_MS) throw new Error(`${path} stays ${String(state)}`)
    await pause(POLL_MS)
  }
}

const limited = async (sentence: string, step: Promise<void>): Promise<void> => {
  const stop = new AbortController()
  const late = pause(STEP_LIMIT_MS, undefined, { signal: stop.signal }).then(() => {
    throw new Error(sentence)
  })
  late.catch(() => {})
  try {
    await Promise.race([step, late])
  } finally {
    stop.abort()
  }
}
