import type { Receiver } from '../demo/receiver.ts'
import type { FlowPlace } from './flow.ts'
import type { Tenant } from './tenant.ts'

/** An organisation with a key, an endpoint for webhooks, a definition and a proof template. */
export const publishForFlows = async (tenant: Tenant, receiver: Receiver): Promise<FlowPlace> => {
  const { id } = await tenant.order('tenant create', { name: 'Registry' })
  const { key } = await tenant.order('key create', { tenant: id, label: 'campaign' })
  tenant.use(String(id), String(key))
  const endpoint = { tenant: id, url: receiver.url, eventTypes: null }
  const { secret } = await tenant.order('webhook set', endpoint)
  receiver.useSecret(String(secret))
  const attributes = ['name', 'age', 'expiresAt']
  const schema = { tenant: id, name: 'person', version: '1.0', attributes }
  const { id: schemaId } = await tenant.order('schema publish', schema)
  await tenant.published('schema show', schemaId)
  const { id: definitionId } = await tenant.order('definition publish', {
    tenant: id,
    schemaId,
    tag: 'default',
  })
  await tenant.published('definition show', definitionId)
  const template = await tenant.order('template create', {
    tenant: id,
    name: 'Adults only',
    description: null,
    groups: [{ name: 'person', credentialDefinitionIds: [definitionId], attributes: ['name'] }],
    predicates: [{ group: 'person', attribute: 'age', operator: '>=', value: 18 }],
  })
  const ledger = await tenant.get('/v1/ledger')
  const { url } = ledger['genesis'] as { url: string }
  return {
    tenant,
    network: { indyNamespace: String(ledger['indyNamespace']), genesis: await tenant.text(url) },
    definitionId: String(definitionId),
    templateId: String(template['id']),
  }
}
