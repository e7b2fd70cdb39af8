import type { OldDecider, Decision } from '../../domain/decider.ts'
import type { Refused } from '../../domain/refused.ts'
import { refuse } from '../../domain/refused.ts'

export type InvitationRecord = {
  readonly status: 'open'
  readonly tenant: string
  readonly label: string
  readonly multiUse: boolean
  readonly alias: string | null
  readonly externalId: string | null
  /** Seed of the key pair that answers this invitation, base64url; null once erased. */
  readonly ownSeed: string | null
  readonly ownKey: string
  /** The connection that took a single-use invitation. A multi-use one stores nothing about who came. */
  readonly winner: string | null
  readonly createdAtMs: number
}
export type InvitationState = { readonly status: 'none' } | InvitationRecord

type Created = Omit<InvitationRecord, 'status' | 'winner' | 'createdAtMs'>

export type InvitationCommand =
  | ({ readonly type: 'CreateInvitation'; readonly atMs: number } & Created)
  /** A holder answers: commits the winner of a single-use invitation before its connection comes to be. */
  | { readonly type: 'AdmitHolder'; readonly atMs: number; readonly connectionId: string }
  | { readonly type: 'ReadInvitation' }

export type InvitationEvent =
  | ({ readonly type: 'InvitationCreated'; readonly atMs: number } & Created)
  | { readonly type: 'HolderAdmitted'; readonly atMs: number; readonly connectionId: string }

export type InvitationReply = { readonly invitation: InvitationRecord } | Refused

type Decided = Decision<InvitationEvent, InvitationReply>

export const invitationDecider: OldDecider<
  InvitationState,
  InvitationCommand,
  InvitationEvent,
  InvitationReply
> = {
  initialState: { status: 'none' },
  decide,
  repeat: (state) => (state.status === 'none' ? unknown().reply : { invitation: state }),
  evolve,
  owed: () => [],
  timers: () => [],
}

const nothing = (reply: InvitationReply): Decided => ({ events: [], reply })
const unknown = (): Decided => nothing(refuse('not_found', 'There is no invitation with this id.'))

function decide(state: InvitationState, command: InvitationCommand): Decided {
  if (command.type === 'CreateInvitation') {
    if (state.status !== 'none') return nothing({ invitation: state })
    const { type: _, ...created } = command
    return moved(state, { type: 'InvitationCreated', ...created })
  }
  if (state.status === 'none') return unknown()
  if (command.type === 'ReadInvitation' || state.multiUse || state.winner === command.connectionId) {
    return nothing({ invitation: state })
  }
  if (state.winner !== null)
    return nothing(refuse('connection_not_ready', 'This invitation has been used by another wallet.'))
  return moved(state, { type: 'HolderAdmitted', atMs: command.atMs, connectionId: command.connectionId })
}

function evolve(state: InvitationState, event: InvitationEvent): InvitationState {
  if (event.type === 'InvitationCreated') {
    if (state.status !== 'none') throw impossible(state, event)
    const { type: _, atMs, ...created } = event
    return { ...created, status: 'open', winner: null, createdAtMs: atMs }
  }
  if (state.status === 'none' || state.multiUse || state.winner !== null) throw impossible(state, event)
  return { ...state, winner: event.connectionId }
}

const moved = (state: InvitationState, event: InvitationEvent): Decided => ({
  events: [event],
  reply: { invitation: evolve(state, event) as InvitationRecord },
})

const impossible = (state: InvitationState, event: InvitationEvent): Error =>
  new Error(`${event.type} is impossible in ${state.status}`)
