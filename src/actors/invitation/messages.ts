import { didKeyOf } from '../../didcomm/keys.ts'
import { PREFIX } from '../../domain/message-prefix.ts'

export type InvitationFacts = {
  readonly id: string
  readonly label: string
  readonly endpoint: string
  readonly recipientKey: string
  readonly routingKeys: readonly string[]
}

/** Out-of-band 1.1 with an inline service: wallets can't resolve a public DID of the tenant. */
export const invitationMessage = (facts: InvitationFacts) => ({
  '@type': `${PREFIX}out-of-band/1.1/invitation`,
  '@id': facts.id,
  label: facts.label,
  accept: ['didcomm/aip1', 'didcomm/aip2;env=rfc19'],
  handshake_protocols: [`${PREFIX}didexchange/1.1`, `${PREFIX}connections/1.0`],
  services: [
    {
      id: '#inline',
      type: 'did-communication',
      serviceEndpoint: facts.endpoint,
      recipientKeys: [didKeyOf(facts.recipientKey)],
      routingKeys: facts.routingKeys.map(didKeyOf),
    },
  ],
})

export const invitationUrl = (base: string, invitation: Readonly<Record<string, unknown>>): string =>
  `${base}?oob=${Buffer.from(JSON.stringify(invitation)).toString('base64url')}`
