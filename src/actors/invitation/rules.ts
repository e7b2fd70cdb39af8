import { NOTHING_HAPPENS, impossibleEvent, refuse, type Decider } from '../../domain/decider.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'

export type InvitationRecord = {
  readonly status: 'open'
  readonly tenant: string
  /** The name of the organisation as it was then. */
  readonly label: string | null
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

type Created = Omit<InvitationRecord, 'status' | 'winner' | 'createdAtMs'>

export type InvitationCommand =
  | ({ readonly type: 'CreateInvitation'; readonly atMs: number } & Created)
  /** A holder answers: commits the winner of a single-use invitation before its connection comes to be. */
  | { readonly type: 'AdmitHolder'; readonly atMs: number; readonly connectionId: string }

export type InvitationEvent =
  | ({ readonly type: 'InvitationCreated'; readonly atMs: number } & Created)
  | { readonly type: 'HolderAdmitted'; readonly atMs: number; readonly connectionId: string }

export type InvitationTypes = RecordTypes<InvitationRecord, InvitationCommand, InvitationEvent>

export const invitation = referencesTo<InvitationTypes>('inv')

export const invitationDecider: Decider<InvitationTypes> = recordDecider({
  unknown: refuse('not_found', 'There is no invitation with this id.'),
  first: ['CreateInvitation', 'InvitationCreated'],
  create: (command) => ({ ...command, type: 'InvitationCreated' }),
  created: (facts, atMs) => ({ ...facts, status: 'open', winner: null, createdAtMs: atMs }),
  decide: ({ multiUse, winner }, { atMs, connectionId }) => {
    if (multiUse || winner === connectionId) return NOTHING_HAPPENS
    if (winner !== null)
      return refuse('connection_not_ready', 'This invitation has been used by another wallet.')
    return [{ type: 'HolderAdmitted', atMs, connectionId }]
  },
  evolve: (record, event) => {
    if (record.multiUse || record.winner !== null) throw impossibleEvent(event, record.status)
    return { ...record, winner: event.connectionId }
  },
})
