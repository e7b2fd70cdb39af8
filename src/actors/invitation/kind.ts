import type { InvitationCommand, InvitationEvent, InvitationReply, InvitationState } from './rules.ts'
import { invitationDecider } from './rules.ts'
import type { OldActorDefinition } from '../../host/definition.ts'
import { defineActor } from '../../host/definition.ts'
import { invitationEvents, invitationSnapshots } from './stored.ts'

export const INVITATION = 'inv'

export const invitationActor = (): OldActorDefinition<
  InvitationState,
  InvitationCommand,
  InvitationEvent,
  InvitationReply
> =>
  defineActor({
    kind: INVITATION,
    decider: invitationDecider,
    events: invitationEvents,
    snapshots: invitationSnapshots,
    snapshotEvery: 50,
    keyParent: (_actor, first) => {
      if (first.type !== 'CreateInvitation')
        throw new Error(`an invitation does not begin with ${first.type}`)
      return { tenant: first.tenant, connection: null }
    },
    erased: (state) => state.status !== 'none' && state.ownSeed === null,
    perform: (effect) => Promise.reject(new Error(`an invitation owes nothing, also not ${effect.kind}`)),
    onTimer: (timerId) => {
      throw new Error(`an invitation has no timer ${timerId}`)
    },
  })
