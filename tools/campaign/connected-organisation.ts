import { startPhones } from '../flows/phones.ts'
import { publishForFlows } from '../flows/publish.ts'
import type { Json, Tenant } from '../flows/tenant.ts'
import { startReceiver } from '../flows/webhook-receiver.ts'
import { untilFound } from '../harness/waiting.ts'

const LIMIT_MS = 120_000

/** An organisation with a definition, a template, and a connection to a phone that is gone by then. */
export const connectedOrganisation = async (tenant: Tenant) => {
  const receiver = await startReceiver(() => undefined)
  const phones = startPhones(1, () => undefined)
  try {
    const { definitionId, templateId, network } = await publishForFlows(tenant, receiver)
    const invitation = await tenant.post('/v1/connections/invitations', {}, 'of the phone')
    const phone = phones.phone(1)
    await phone.open(network)
    await phone.connect(String(invitation['invitationUrl']))
    const path = '/v1/connections?state=completed'
    const connection = await untilFound(
      async () => ((await tenant.get(path))['items'] as readonly Json[])[0] ?? null,
      { limitMs: LIMIT_MS, everyMs: 100, otherwise: () => new Error('no connection was completed') },
    )
    // Its webhooks are the load of another campaign.
    await tenant.order('webhook remove', { tenant: tenant.id })
    const connectionId = String(connection['id'])
    return { connectionId, definitionId, templateId, invitationId: String(invitation['invitationId']) }
  } finally {
    await phones.close()
    receiver.close()
  }
}
