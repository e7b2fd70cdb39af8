import { within } from '../../src/timing/within.ts'
import { untilFound } from '../harness/waiting.ts'
import type { Phone } from './phones.ts'
import type { Published } from './publish.ts'
import type { Json } from './tenant.ts'

/** What the API acknowledged to the organisation. */
export type Flow = {
  readonly number: number
  readonly name: string
  readonly connectionId: string
  readonly credentialId: string
  readonly proofId: string
}

const STEP_LIMIT_MS = 5 * 60_000
const LIFETIME_SECONDS = 24 * 3_600
const FINAL_STATES = new Set(['done', 'declined', 'abandoned', 'completed'])

/** The exchange at the path, once it is over; an audit judges how. */
export const untilFinal = (
  tenant: Published['tenant'],
  path: string,
  everyMs = 400,
  limitMs = STEP_LIMIT_MS,
): Promise<Json> => {
  const found = async (): Promise<Json | null> => {
    const record = await tenant.get(path)
    return FINAL_STATES.has(String(record['state'])) ? record : null
  }
  const otherwise = () => new Error(`${path} did not come to a final state`)
  return untilFound(found, { limitMs, everyMs, otherwise })
}

type Pace = { readonly everyMs?: number; readonly stepLimitMs?: number }

/** A phone takes an invitation; answers with its connection. */
export const connectHolder = async (
  { tenant, network }: Pick<Published, 'tenant' | 'network'>,
  externalId: string,
  phone: Phone,
  { everyMs = 400, stepLimitMs = STEP_LIMIT_MS }: Pace = {},
): Promise<string> => {
  const inTime = (step: Promise<void>, sentence: string): Promise<void> =>
    within(stepLimitMs, step, () => new Error(sentence))
  await inTime(phone.open(network), 'the wallet did not open')
  const { invitationId, invitationUrl } = await tenant.post(
    '/v1/connections/invitations',
    { externalId },
    `${externalId}-invitation`,
  )
  await inTime(phone.connect(String(invitationUrl)), 'the wallet did not connect')
  const path = `/v1/connections?invitationId=${String(invitationId)}&state=completed`
  const look = async (): Promise<Json | null> =>
    ((await tenant.get(path))['items'] as readonly Json[])[0] ?? null
  const otherwise = () => new Error(`${String(invitationId)} led to no completed connection`)
  const connection = await untilFound(look, { limitMs: stepLimitMs, everyMs, otherwise })
  return String(connection['id'])
}

/** One holder connects, receives a credential and proves it; whatever becomes of the service meanwhile. */
export const runFlow = async (
  published: Published,
  number: number,
  phone: Phone,
  { prefix = 'flow', everyMs = 400, stepLimitMs = STEP_LIMIT_MS }: Pace & { readonly prefix?: string } = {},
): Promise<Flow> => {
  const { tenant, definitionId, templateId } = published
  const externalId = `${prefix}-${number}`
  const name = `Holder ${number}`
  const connectionId = await connectHolder(published, externalId, phone, { everyMs, stepLimitMs })
  const expiresAt = String(Math.floor(Date.now() / 1_000) + LIFETIME_SECONDS)
  const attributes = { name, age: '36', expiresAt }
  const offer = { connectionId, externalId, credentialDefinitionId: definitionId, attributes }
  const { id: credentialId } = await tenant.post('/v1/credentials/offer', offer, `${externalId}-offer`)
  await untilFinal(tenant, `/v1/credentials/${String(credentialId)}`, everyMs, stepLimitMs)
  const request = { connectionId, proofTemplateId: templateId, externalId }
  const { id: proofId } = await tenant.post('/v1/proofs/request', request, `${externalId}-request`)
  await untilFinal(tenant, `/v1/proofs/${String(proofId)}`, everyMs, stepLimitMs)
  return { number, name, connectionId, credentialId: String(credentialId), proofId: String(proofId) }
}
