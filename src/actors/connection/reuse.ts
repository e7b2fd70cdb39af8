import { impossibleEvent, refuse, type Refused } from '../../domain/decider.ts'

/** The further invitations that the wallet of a connection has answered by using it again. Left out until then. */
export type Reuses = { readonly reusedFor?: readonly string[] }

type At = { readonly atMs: number }

/** The wallet wants no new connection for this invitation. */
export type ReuseCommand = { readonly type: 'RecordReuse'; readonly invitationId: string } & At

export type ReuseEvent = { readonly type: 'ConnectionReused'; readonly invitationId: string } & At

/** Each is kept for as long as the connection. Beyond them a wallet makes a new one, as if it did not know this one. */
const REUSES_MAX = 16

type Known = Reuses & { readonly status: string; readonly invitationId: string }

const notCompleted = refuse('connection_not_ready', 'The connection is not completed.')

/** Why the connection is not to be used for it; null where it is. To be asked before the invitation is used up. */
export const whyNotReused = (state: Known, invitationId: string): Refused | null => {
  if (state.status !== 'completed') return notCompleted
  const { reusedFor = [] } = state
  return reusedFor.length < REUSES_MAX || answeredBy(state).includes(invitationId)
    ? null
    : refuse('connection_not_ready', 'The connection was used for as many invitations as it may be.')
}

/**
 * Nothing where the connection was used for it before. The invitation is used up by now, so it is not asked any more how
 * many there were: several that come at once may be a few too many.
 */
export const reuse = (
  state: Known,
  { atMs, invitationId }: ReuseCommand,
): readonly ReuseEvent[] | Refused => {
  if (state.status !== 'completed') return notCompleted
  return answeredBy(state).includes(invitationId) ? [] : [{ type: 'ConnectionReused', atMs, invitationId }]
}

export const reuseAfter = <Of extends Known>(state: Of, event: ReuseEvent): Of => {
  if (state.status !== 'completed') throw impossibleEvent(event, state.status)
  return { ...state, reusedFor: [...(state.reusedFor ?? []), event.invitationId] }
}

/** All invitations that were answered by the connection, the one that it came to be by first. */
export const answeredBy = ({ invitationId, reusedFor = [] }: Pick<Known, keyof Reuses | 'invitationId'>) => [
  invitationId,
  ...reusedFor,
]
