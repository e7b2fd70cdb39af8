import type { WalletOptions } from '../../sdk/wallet/create-wallet.ts'
import type { Tenant } from './tenant.ts'
import type { Receiver } from './webhook-receiver.ts'

/** Everything that an organisation needs before a holder can come to it. */
export type Published = {
  readonly tenant: Tenant
  readonly network: Pick<WalletOptions, 'indyNamespace' | 'genesis'>
  readonly definitionId: string
  readonly templateId: string
}

/** An organisation with a key, by which it calls from here on. */
export const openOrganisation = async (tenant: Tenant, name: string): Promise<void> => {
  const { id } = await tenant.order('tenant create', { name })
  const { key } = await tenant.order('key create', { tenant: id, label: 'flows' })
  tenant.use(String(id), String(key))
}

/** A definition of credentials for persons. */
export const publishPersons = async (
  tenant: Tenant,
  say: (line: string) => void = () => undefined,
): Promise<string> => {
  const attributes = ['name', 'age', 'expiresAt']
  const schema = { tenant: tenant.id, name: 'person', version: '1.0', attributes }
  const { id: schemaId } = await tenant.order('schema publish', schema)
  await tenant.published('schema show', schemaId)
  say('schema person 1.0 published; making the keys of the credential definition')
  const definition = { tenant: tenant.id, schemaId, tag: 'default' }
  const { id } = await tenant.order('definition publish', definition)
  await tenant.published('definition show', id)
  say('credential definition published')
  return String(id)
}

/** An organisation with a key, an endpoint for webhooks, a definition and a proof template. */
export const publishForFlows = async (
  tenant: Tenant,
  receiver: Pick<Receiver, 'url' | 'useSecret'>,
  say: (line: string) => void = () => undefined,
): Promise<Published> => {
  await openOrganisation(tenant, 'Registry')
  const { secret } = await tenant.order('webhook set', {
    tenant: tenant.id,
    url: receiver.url,
    eventTypes: null,
  })
  receiver.useSecret(String(secret))
  const definitionId = await publishPersons(tenant, say)
  const { id: templateId } = await tenant.order('template create', {
    tenant: tenant.id,
    name: 'Adults only',
    description: null,
    groups: [{ name: 'person', credentialDefinitionIds: [definitionId], attributes: ['name'] }],
    predicates: [{ group: 'person', attribute: 'age', operator: '>=', value: 18 }],
  })
  const network = await tenant.network()
  return { tenant, network, definitionId, templateId: String(templateId) }
}
