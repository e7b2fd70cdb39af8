import { join } from 'node:path'
import { TerminalWallet } from '../../../../tools/harness/terminal-wallet.ts'
import { untilFound } from '../../../../tools/harness/waiting.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'
import type { Json } from './console-place.ts'
import type { ConsoleWorld } from './console-world.ts'

const LIMIT_MS = 60_000
/** Of no connection: what a table says of it is refused. */
const NOBODY = 'con_2hxq5m8n1p4r7t0v3x6z9b2d5f'
const LAST_SECOND = '1924991999'

export type Furnished = {
  readonly schemaId: string
  readonly definitionId: string
  readonly templateId: string
  readonly connectionId: string
  /** The address of a record of each sort, behind `/console/`. */
  readonly records: readonly string[]
}

type Furnishing = {
  /** Where its webhook goes; a private address needs VOUCHSAFE_ALLOW_PRIVATE_TARGETS. */
  readonly receiver: string
}

/**
 * An organisation in which something of everything has happened: a wallet with a credential that was proved, one that
 * declined, one that has not answered yet; deliveries, a table of offers, a wallet of an app.
 */
export const furnish = async (world: ConsoleWorld, { receiver }: Furnishing): Promise<Furnished> => {
  const order = ordering(world)
  const published = await publish(order)
  await order('PUT', '/v1/webhook', { url: receiver })
  const ada = await connected(world, order, 'Phone of Ada', 'guest-1041')
  const grace = await connected(world, order, 'Phone of Grace', 'guest-1042')
  const joan = await connected(world, order, 'Tablet of Joan', 'guest-1043')
  const { definitionId, templateId } = published
  const offer = (connectionId: string, name: string, externalId: string) =>
    order('POST', '/v1/credentials/offer', {
      connectionId,
      credentialDefinitionId: definitionId,
      attributes: { name, age: '36', expiresAt: LAST_SECOND },
      externalId,
    })
  const credentialId = idOf(await offer(ada.connectionId, 'Ada Lovelace', 'pass-2041'))
  await ada.wallet.says('* An offer:')
  ada.wallet.type('accept')
  await ada.wallet.says('* Received')
  await offer(grace.connectionId, 'Grace Hopper', 'pass-2042')
  await grace.wallet.says('* An offer:')
  grace.wallet.type('decline')
  await offer(joan.connectionId, 'Joan Clarke', 'pass-2043')
  const request = { connectionId: ada.connectionId, proofTemplateId: templateId, externalId: 'door-7' }
  const proofId = idOf(await order('POST', '/v1/proofs/request', request))
  await ada.wallet.says('* A request:')
  ada.wallet.type('present')
  await ada.wallet.says('(done)')
  const another = idOf(await order('POST', '/v1/proofs/request', { ...request, externalId: 'door-8' }))
  await ada.wallet.says('* A request: Entry. Say show, present or refuse.')
  await order('POST', `/v1/proofs/${another}/cancel`)
  const jobId = await offeredFromTable(order, joan.connectionId, definitionId)
  await order('POST', '/v1/wallets', { externalId: 'app-7' })
  await order('POST', '/v1/connections/invitations', { externalId: 'desk-3', multiUse: true })
  await order('POST', '/v1/members', { emailAddress: 'grace@example.org', role: 'viewer' })
  await untilState(order, `/v1/credentials/${credentialId}`, 'state', 'done')
  for (const { wallet } of [ada, grace, joan]) await wallet.quit()
  const [delivery] = (await order('GET', '/v1/webhook/deliveries'))['items'] as readonly Json[]
  return {
    ...published,
    connectionId: ada.connectionId,
    records: [
      `connections/${ada.connectionId}`,
      `credentials/${credentialId}`,
      `proofs/${proofId}`,
      `offers/${jobId}`,
      `deliveries/${idOf(delivery ?? {})}`,
      `schemas/${published.schemaId}`,
      `definitions/${definitionId}`,
      `templates/${templateId}`,
    ],
  }
}

export type Order = (method: string, path: string, body?: object) => Promise<Json>

/** Orders for an organisation; one that is refused fails. */
export const ordering =
  (world: ConsoleWorld, organisation?: string): Order =>
  async (method, path, body) => {
    const answer = await world.order(method, path, body, organisation)
    if (typeof answer['reason'] === 'string') throw new Error(`${method} ${path}: ${answer['reason']}`)
    return answer
  }

/** A schema, a definition of it and what is asked for. */
export const publish = async (
  order: Order,
): Promise<Pick<Furnished, 'schemaId' | 'definitionId' | 'templateId'>> => {
  const content = { name: 'membership', version: '1.0', attributes: ['name', 'age', 'expiresAt'] }
  const schemaId = idOf(await order('POST', '/v1/schemas', content))
  await untilState(order, `/v1/schemas/${schemaId}`, 'status', 'published')
  const made = { schemaId, tag: 'harbour' }
  const definitionId = idOf(await order('POST', '/v1/credential-definitions', made))
  await untilState(order, `/v1/credential-definitions/${definitionId}`, 'status', 'published')
  const group = { name: 'member', credentialDefinitionIds: [definitionId], attributes: ['name'] }
  const templateId = idOf(
    await order('POST', '/v1/proof-templates', {
      name: 'Entry',
      description: 'Who comes in, and that they are of age.',
      groups: [group],
      predicates: [{ group: 'member', attribute: 'age', operator: '>=', value: 18 }],
    }),
  )
  return { schemaId, definitionId, templateId }
}

const connected = async (
  world: ConsoleWorld,
  order: Order,
  label: string,
  externalId: string,
): Promise<{ readonly wallet: TerminalWallet; readonly connectionId: string }> => {
  const { invitationUrl } = await order('POST', '/v1/connections/invitations', { externalId })
  const folder = join(temporaryFolder('vouchsafe-console-wallet'), 'wallet')
  const wallet = new TerminalWallet(world, { folder, label })
  await wallet.connect(String(invitationUrl))
  const found = await untilFound(
    async () => {
      const { items } = await order('GET', `/v1/connections?state=completed&q=${externalId}`)
      return (items as readonly Json[])[0]
    },
    { limitMs: LIMIT_MS, everyMs: 200, otherwise: () => new Error(`${label} was not connected`) },
  )
  return { wallet, connectionId: idOf(found) }
}

const offeredFromTable = async (order: Order, connectionId: string, definition: string): Promise<string> => {
  const item = (idempotencyKey: string, to: string, name: string) => ({
    idempotencyKey,
    connectionId: to,
    credentialDefinitionId: definition,
    attributes: { name, age: '41', expiresAt: LAST_SECOND },
  })
  const items = [
    item('line-2', connectionId, 'Joan Clarke'),
    item('line-3', NOBODY, 'Alan Turing'),
    item('line-4', NOBODY, 'Emmy Noether'),
  ]
  const id = idOf(await order('POST', '/v1/credentials/offers', { items }))
  await untilState(order, `/v1/credential-offer-jobs/${id}`, 'status', 'finished')
  return id
}

const untilState = async (order: Order, path: string, field: string, state: string): Promise<void> => {
  const look = async (): Promise<boolean> => (await order('GET', path))[field] === state
  const otherwise = () => new Error(`${path} was not ${state}`)
  await untilFound(look, { limitMs: LIMIT_MS, everyMs: 200, otherwise })
}

export const idOf = ({ id }: Json): string => String(id)
