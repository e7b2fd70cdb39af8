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

/** Nothing where the connection was used for it before. */
export const reuse = (
  state: Known,
  { atMs, invitationId }: ReuseCommand,
): readonly ReuseEvent[] | Refused => {
  if (state.status !== 'completed') return refuse('connection_not_ready', 'The connection is not completed.')
  const { reusedFor = [] } = state
  if (answeredBy(state).includes(invitationId)) return []
  return reusedFor.length < REUSES_MAX
    ? [{ type: 'ConnectionReused', atMs, invitationId }]
    : refuse('connection_not_ready', 'The connection was used for as many invitations as it may be.')
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
