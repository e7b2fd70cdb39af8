import { Holder } from '../../sdk/wallet/holder.ts'
import type { Json, Organisation } from './organisation.ts'
import type { Timeline } from './timeline.ts'

export type Visit = { readonly connectionId: string; readonly credentialId: string; readonly proofId: string }

const STEP_TIMEOUT_MS = 60_000
const LIFETIME_SECONDS = 3600

type Place = {
  readonly organisation: Organisation
  readonly definitionId: string
  readonly templateId: string
}

/** One holder: connects, receives a credential, proves it. */
export const visit = async (place: Place, number: number, timeline: Timeline): Promise<Visit> => {
  const { organisation, definitionId, templateId } = place
  const phone = await startPhone(organisation, number, timeline)
  try {
    const externalId = `demo-${number}-${process.pid}`
    const invitation = await organisation.post('/v1/connections/invitations', { externalId })
    await phone.connect(String(invitation['invitationUrl']))
    const connectionId = await connectionOf(organisation, String(invitation['invitationId']))
    const expiresAt = String(Math.floor(Date.now() / 1000) + LIFETIME_SECONDS)
    const attributes = { name: `Holder ${number}`, age: '36', expiresAt }
    const offer = { connectionId, credentialDefinitionId: definitionId, attributes, externalId }
    const credentialId = String((await organisation.post('/v1/credentials/offer', offer))['id'])
    await organisation.reached(`/v1/credentials/${credentialId}`, 'done', STEP_TIMEOUT_MS)
    const held = await phone.credentials()
    if (!held.some((credential) => credential.attributes['name'] === attributes.name)) {
      throw new Error('the wallet does not hold what was issued')
    }
    const request = { connectionId, proofTemplateId: templateId, externalId }
    const proofId = String((await organisation.post('/v1/proofs/request', request))['id'])
    const proof = await organisation.reached(`/v1/proofs/${proofId}`, 'done', STEP_TIMEOUT_MS)
    const disclosed = JSON.stringify(proof['disclosed'])
    if (proof['verified'] !== true || disclosed !== JSON.stringify({ person: { name: attributes.name } })) {
      throw new Error(`the proof ended with verified ${String(proof['verified'])} and ${disclosed}`)
    }
    timeline.tell('proof', `verified: true, disclosed: ${disclosed}`)
    return { connectionId, credentialId, proofId }
  } finally {
    await phone[Symbol.asyncDispose]()
  }
}

const startPhone = async (
  organisation: Organisation,
  number: number,
  timeline: Timeline,
): Promise<Holder> => {
  const ledger = await organisation.get('/v1/ledger')
  const { url } = ledger['genesis'] as { url: string }
  const network = { indyNamespace: String(ledger['indyNamespace']), genesis: await (await fetch(url)).text() }
  const options = {
    label: `Phone ${number}`,
    databaseFile: ':memory:',
    host: '127.0.0.1',
    port: 0,
    verbose: false,
  }
  const phone = await Holder.start({ ...options, ...network }, { offers: 'accept', proofs: 'accept' })
  phone.onEvent(({ kind, state }) => timeline.tell(`phone ${number}`, `${kind}: ${state}`))
  return phone
}

const connectionOf = async (organisation: Organisation, invitationId: string): Promise<string> => {
  const deadlineMs = performance.now() + STEP_TIMEOUT_MS
  for (;;) {
    const list = await organisation.get(`/v1/connections?invitationId=${invitationId}&state=completed`)
    const [found] = list['items'] as Json[]
    if (found) return String(found['id'])
    if (performance.now() > deadlineMs) throw new Error('the connection was not completed')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
