import { impossibleEvent, refuse, type Decider, type Refused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { referencesTo, shardOf, type Ref } from '../../domain/references.ts'
import type { AccountRole } from '../account/state.ts'

/** Whose account it is: a member's of this organisation, or (null) an operator's of the service. */
export type Realm = string | null

type Listed = {
  readonly account: string
  /** Keyed fingerprint of the e-mail address. */
  readonly address: string
  readonly role: AccountRole
}
/** Who belongs to an organisation, or to the operators of the service: one account for each address. */
export type RosterEntry = Listed & { readonly isActive: boolean }
export type RosterState = { readonly entries: readonly RosterEntry[] }

export type RosterCommand =
  | ({ readonly type: 'ListAccount' } & Listed)
  | { readonly type: 'MarkActive'; readonly account: string }
  | { readonly type: 'ChangeListedRole'; readonly account: string; readonly role: AccountRole }
  | { readonly type: 'UnlistAccount'; readonly account: string }

export type RosterEvent =
  | ({ readonly type: 'AccountListed' } & Listed)
  | { readonly type: 'MarkedActive'; readonly account: string }
  | { readonly type: 'ListedRoleChanged'; readonly account: string; readonly role: AccountRole }
  | { readonly type: 'AccountUnlisted'; readonly account: string }

export type RosterTypes = {
  readonly state: RosterState
  readonly command: RosterCommand
  readonly event: RosterEvent
  readonly reply: readonly RosterEntry[]
  readonly views: { readonly record: readonly RosterEntry[] }
  readonly owed: never
}

export const roster = referencesTo<RosterTypes>('ros')

/** On the shard of its organisation, as the accounts of its members are, so that they change together. */
export const rosterOf = (realm: Realm): Ref<RosterTypes> =>
  roster.ref(realm === null ? 'ros_00operators' : `ros${realm.slice(realm.indexOf('_'))}`)

export const shardOfRealm = (realm: Realm): number => shardOf(rosterOf(realm)) ?? 0

export const rosterDecider: Decider<RosterTypes> = {
  initialState: { entries: [] },
  decide,
  evolve,
  reply: ({ entries }) => entries,
  views: { record: ({ entries }) => entries },
}

function decide(state: RosterState, command: RosterCommand): readonly RosterEvent[] | Refused {
  if (command.type === 'ListAccount') {
    if (state.entries.some(({ address }) => address === command.address))
      return refuse('already_member', 'Somebody with this address is a member already.')
    if (state.entries.length >= limits.membersMax)
      return refuse('members_too_many', `There may be at most ${limits.membersMax} members.`)
    const { account, address, role } = command
    return [{ type: 'AccountListed', account, address, role }]
  }
  const found = state.entries.find(({ account }) => account === command.account)
  if (found === undefined) return refuse('not_found', 'There is no member with this id.')
  const { account } = found
  if (command.type === 'MarkActive') return [{ type: 'MarkedActive', account }]
  if (isLast(state, found) && (command.type === 'UnlistAccount' || command.role !== found.role))
    return refuse(
      'last_administrator',
      'Somebody must remain who may change things; make another administrator first.',
    )
  if (command.type === 'UnlistAccount') return [{ type: 'AccountUnlisted', account }]
  return [{ type: 'ListedRoleChanged', account, role: command.role }]
}

/** Who has signed up and may change things: an administrator, or an operator. */
export const mayChange = ({ role, isActive }: RosterEntry): boolean => isActive && role !== 'viewer'

const isLast = ({ entries }: RosterState, entry: RosterEntry): boolean =>
  mayChange(entry) && entries.filter(mayChange).length === 1

function evolve({ entries }: RosterState, event: RosterEvent): RosterState {
  const { account } = event
  const found = entries.find((each) => each.account === account)
  if ((event.type === 'AccountListed') === (found !== undefined))
    throw impossibleEvent(event, `a roster ${found === undefined ? 'without' : 'with'} ${account}`)
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
