import { Type } from 'typebox'
import { defineKind, keysAbove } from '../define-kind.ts'
import { storedRecord, text, textOrNull, time } from '../stored-fields.ts'
import { receiveFromStranger } from './inbound.ts'
import { invitationRoutes } from './routes.ts'
import { type InvitationTypes, invitation, invitationDecider } from './rules.ts'

const created = {
  tenant: text,
  label: textOrNull,
  multiUse: Type.Boolean(),
  alias: textOrNull,
  externalId: textOrNull,
  ownSeed: textOrNull,
  ownKey: text,
}

export const invitationKind = defineKind<InvitationTypes>({
  references: invitation,
  decider: invitationDecider,
  ...storedRecord({
    personal: ['label', 'ownSeed', 'alias'],
    events: { InvitationCreated: created, HolderAdmitted: { connectionId: text } },
    records: [{ status: Type.Literal('open'), ...created, winner: textOrNull, createdAtMs: time }],
  }),
  keyParent: keysAbove,
  envelopes: { receive: receiveFromStranger },
  routes: invitationRoutes,
})
