import { randomUUID } from 'node:crypto'
import type { Json } from '../../flows/tenant.ts'

/** One kind of POST: what is sent under its n-th key, and what must result from it. */
export type Command = {
  readonly name: string
  readonly path: string
  readonly body: Json
  readonly keyOf: (index: number) => string
  readonly createdStatus: number
  readonly idOf: (answer: Json) => string
  /** The prefix of the ids of what it makes. */
  readonly kind: string
  /** A wallet is not replayed: the same wallet is answered with another token, at any time. */
  readonly ownRule: boolean
}

export type Ids = {
  readonly connectionId: string
  readonly definitionId: string
  readonly templateId: string
}

const idField = ({ id }: Json): string => String(id)

/** The four commands of a tenant's backend that make something. */
export const commandsOf = ({ connectionId, definitionId, templateId }: Ids): readonly Command[] => {
  const shared = { keyOf: (index: number) => `key ${index}`, ownRule: false, idOf: idField }
  const attributes = { name: 'Ada', age: '36', expiresAt: '2000000000' }
  return [
    {
      ...shared,
      name: 'wallets',
      path: '/v1/wallets',
      body: { externalId: 'campaign' },
      keyOf: () => randomUUID(),
      createdStatus: 201,
      kind: 'wal',
      ownRule: true,
    },
    {
      ...shared,
      name: 'invitations',
      path: '/v1/connections/invitations',
      body: { multiUse: false },
      createdStatus: 201,
      idOf: ({ invitationId }) => String(invitationId),
      kind: 'inv',
    },
    {
      ...shared,
      name: 'offers',
      path: '/v1/credentials/offer',
      body: { connectionId, credentialDefinitionId: definitionId, attributes },
      createdStatus: 202,
      kind: 'cre',
    },
    {
      ...shared,
      name: 'proof requests',
      path: '/v1/proofs/request',
      body: { connectionId, proofTemplateId: templateId },
      createdStatus: 202,
      kind: 'pro',
    },
  ]
}
