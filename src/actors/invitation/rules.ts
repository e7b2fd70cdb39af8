import { type Decider, impossibleEvent, NOTHING_HAPPENS } from '../../domain/decider.ts'
import { referencesTo } from '../../domain/references.ts'
import { type Refused, refuse } from '../../domain/refused.ts'

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

export type InvitationEvent =
  | ({ readonly type: 'InvitationCreated'; readonly atMs: number } & Created)
  | { readonly type: 'HolderAdmitted'; readonly atMs: number; readonly connectionId: string }

export type InvitationTypes = {
  readonly state: InvitationState
  readonly command: InvitationCommand
  readonly event: InvitationEvent
  readonly reply: InvitationRecord
  readonly views: { readonly record: InvitationRecord }
  readonly owed: never
}

export const invitation = referencesTo<InvitationTypes>('inv')

const noSuchInvitation = refuse('not_found', 'There is no invitation with this id.')

export const invitationDecider: Decider<InvitationTypes> = {
  initialState: { status: 'none' },
  decide,
  evolve,
  reply: (state) => state as InvitationRecord,
  views: { record: (state) => (state.status === 'none' ? noSuchInvitation : state) },
}

function decide(state: InvitationState, command: InvitationCommand): readonly InvitationEvent[] | Refused {
  if (command.type === 'CreateInvitation') {
    if (state.status !== 'none') return NOTHING_HAPPENS
    const { type: _, ...created } = command
    return [{ type: 'InvitationCreated', ...created }]
  }
  if (state.status === 'none') return noSuchInvitation
  if (state.multiUse || state.winner === command.connectionId) return NOTHING_HAPPENS
  if (state.winner !== null)
    return refuse('connection_not_ready', 'This invitation has been used by another wallet.')
  return [{ type: 'HolderAdmitted', atMs: command.atMs, connectionId: command.connectionId }]
}

function evolve(state: InvitationState, event: InvitationEvent): InvitationState {
  if (event.type === 'InvitationCreated') {
    if (state.status !== 'none') throw impossibleEvent(event, state.status)
    const { type: _, atMs, ...created } = event
    return { ...created, status: 'open', winner: null, createdAtMs: atMs }
  }
  if (state.status === 'none' || state.multiUse || state.winner !== null)
    throw impossibleEvent(event, state.status)
  return { ...state, winner: event.connectionId }
}
