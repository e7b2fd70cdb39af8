import { defineKind } from '../define-kind.ts'
import { receiveFromStranger } from './inbound.ts'
import { invitationRoutes } from './routes.ts'
import { type InvitationTypes, invitation, invitationDecider } from './rules.ts'
import { invitationEvents, invitationSnapshots } from './stored.ts'

export const invitationKind = defineKind<InvitationTypes>({
  references: invitation,
  decider: invitationDecider,
  events: invitationEvents,
  snapshots: invitationSnapshots,
  keyParent: (_, first) => {
    if (first.type !== 'CreateInvitation') throw new Error(`an invitation does not begin with ${first.type}`)
    return { tenant: first.tenant, connection: null }
  },
  erased: (state) => state.status !== 'none' && state.ownSeed === null,
  envelopes: { receive: receiveFromStranger },
  routes: invitationRoutes,
})
