import type { OldDecider, Decision } from '../../domain/decider.ts'
import { type Refused, refuse } from '../../domain/refused.ts'
import { limits } from '../../domain/limits.ts'
import type { AccountRole } from '../account/state.ts'

/** Who belongs to an organisation, or to the operators of the service: one account for each address. */
export type RosterEntry = {
  readonly account: string
  /** Keyed fingerprint of the e-mail address. */
  readonly address: string
  readonly role: AccountRole
  readonly isActive: boolean
}
export type RosterState = { readonly entries: readonly RosterEntry[] }

export type RosterCommand =
  | {
      readonly type: 'ListAccount'
      readonly account: string
      readonly address: string
      readonly role: AccountRole
    }
  | { readonly type: 'MarkActive'; readonly account: string }
  | { readonly type: 'ChangeListedRole'; readonly account: string; readonly role: AccountRole }
  | { readonly type: 'UnlistAccount'; readonly account: string }
  | { readonly type: 'ReadRoster' }

export type RosterEvent =
  | {
      readonly type: 'AccountListed'
      readonly account: string
      readonly address: string
      readonly role: AccountRole
    }
  | { readonly type: 'MarkedActive'; readonly account: string }
  | { readonly type: 'ListedRoleChanged'; readonly account: string; readonly role: AccountRole }
  | { readonly type: 'AccountUnlisted'; readonly account: string }

export type RosterReply = { readonly entries: readonly RosterEntry[] } | Refused

type Decided = Decision<RosterEvent, RosterReply>

export const rosterDecider: OldDecider<RosterState, RosterCommand, RosterEvent, RosterReply> = {
  initialState: { entries: [] },
  decide,
  repeat: ({ entries }) => ({ entries }),
  evolve,
  owed: () => [],
  timers: () => [],
}

const no = (refused: Refused): Decided => ({ events: [], reply: refused })

function decide(state: RosterState, command: RosterCommand): Decided {
  if (command.type === 'ReadRoster') return { events: [], reply: { entries: state.entries } }
  if (command.type === 'ListAccount') {
    if (state.entries.some(({ address }) => address === command.address))
      return no(refuse('already_member', 'Somebody with this address is a member already.'))
    if (state.entries.length >= limits.membersMax)
      return no(refuse('members_too_many', `There may be at most ${limits.membersMax} members.`))
    const { account, address, role } = command
    return moved(state, { type: 'AccountListed', account, address, role })
  }
  const found = state.entries.find(({ account }) => account === command.account)
  if (found === undefined) return no(refuse('not_found', 'There is no member with this id.'))
  const { account } = found
  if (command.type === 'MarkActive') return moved(state, { type: 'MarkedActive', account })
  if (isLast(state, found) && (command.type === 'UnlistAccount' || command.role !== found.role))
    return no(
      refuse(
        'last_administrator',
        'Somebody must remain who may change things; make another administrator first.',
      ),
    )
  if (command.type === 'UnlistAccount') return moved(state, { type: 'AccountUnlisted', account })
  return moved(state, { type: 'ListedRoleChanged', account, role: command.role })
}

const mayChange = ({ role, isActive }: RosterEntry): boolean => isActive && role !== 'viewer'

const isLast = ({ entries }: RosterState, entry: RosterEntry): boolean =>
  mayChange(entry) && entries.filter(mayChange).length === 1

function evolve({ entries }: RosterState, event: RosterEvent): RosterState {
  const { account } = event
  const found = entries.find((each) => each.account === account)
  if ((event.type === 'AccountListed') === (found !== undefined))
    throw new Error(`${event.type} is impossible for ${account}`)
  const change = (changed: Partial<RosterEntry>): RosterState => ({
    entries: entries.map((each) => (each === found ? { ...each, ...changed } : each)),
  })
  switch (event.type) {
    case 'AccountListed': {
      const { address, role } = event
      return { entries: [...entries, { account, address, role, isActive: false }] }
    }
    case 'MarkedActive':
      return change({ isActive: true })
    case 'ListedRoleChanged':
      return change({ role: event.role })
    case 'AccountUnlisted':
      return { entries: entries.filter((each) => each !== found) }
  }
}

const moved = (state: RosterState, event: RosterEvent): Decided => ({
  events: [event],
  reply: { entries: evolve(state, event).entries },
})
