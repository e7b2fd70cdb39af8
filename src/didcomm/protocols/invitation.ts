import { PREFIX } from '../../domain/message-prefix.ts'
import type { WalletService } from '../../ports/wallets.ts'
import type { Json } from '../json.ts'
import { didKeyOf } from '../keys.ts'
import { CONNECTIONS } from './connections.ts'
import { DID_EXCHANGE } from './did-exchange.ts'

type InvitationFacts = {
  readonly id: string
  readonly label: string
  /** What the wallet is invited for, where it is not to connect alone. */
  readonly goalCode?: string
  /** Where the answer goes, the place that is preferred first. */
  readonly services: readonly WalletService[]
}

/**
 * Out-of-band 1.1 with inline services, because wallets can't resolve a public DID of the tenant; for those that speak
 * either handshake.
 */
export const invitationMessage = ({ id, label, goalCode, services }: InvitationFacts) => ({
  '@type': `${PREFIX}out-of-band/1.1/invitation`,
  '@id': id,
  label,
  ...(goalCode !== undefined && { goal_code: goalCode }),
  accept: ['didcomm/aip1', 'didcomm/aip2;env=rfc19'],
  handshake_protocols: [`${PREFIX}${DID_EXCHANGE}`, `${PREFIX}${CONNECTIONS}`],
  services: services.map(({ endpoint, recipientKeys, routingKeys }, index) => ({
    id: `#inline-${index}`,
    type: 'did-communication',
    serviceEndpoint: endpoint,
    recipientKeys: recipientKeys.map(didKeyOf),
    routingKeys: routingKeys.map(didKeyOf),
  })),
})

export const invitationUrl = (base: string, invitation: Json): string =>
  `${base}?oob=${Buffer.from(JSON.stringify(invitation)).toString('base64url')}`
