import { NOTHING_HAPPENS, refuse, type Decider, type Refused, type Timer } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { recordDecider } from '../../domain/record.ts'
import { endOf, evolve, nothingWaits } from './evolve.ts'
import { hasPaceFor, TAKING_MS, WORD_MS } from './pace.ts'
import type {
  MailboxCommand,
  MailboxEvent,
  MailboxDoor,
  MailboxRecord,
  MailboxRules,
  MailboxTypes,
  PhoneConnection,
  QueuedMessage,
  Tally,
} from './state.ts'

const noSuchMailbox = refuse('not_found', 'There is no such mailbox.')
/** Who writes to a key that is not, or no more, of any wallet here. */
export const noSuchKey = refuse('not_found', 'No wallet waits for messages to this key.')
export const mailboxFull = refuse(
  'mailbox_full',
  'The wallet has too many messages waiting; send this one again when it has taken some.',
)
const invitationOver = refuse('connection_not_ready', 'This invitation was used, replaced, or is too old.')
/** The envelope was sent again, by whoever has seen it. */
const heardBefore = refuse('message_unexpected', 'This message was heard before.')
/** Its own phone says more than is written down of it in so short a time. */
export const tooFast = refuse('rate_limited', 'The wallet says too much at once.')
export const invitedTooOften = refuse(
  'rate_limited',
  `A wallet has ${limits.mediatorInvitationsMax} invitations within ${limits.mediatorInvitationsWindowSeconds / 60} minutes.`,
)

export const EXPIRY_TIMER = 'expiry'
export const SYNC_TIMER = 'sync'

const INVITATIONS_WINDOW_MS = limits.mediatorInvitationsWindowSeconds * 1_000
const SYNC_PAUSE_MS = limits.syncRequestedSeconds * 1_000
/** Longer than a session takes to acknowledge what it was sent; a message of which nobody was told waits no longer. */
const ACKNOWLEDGED_WITHIN_MS = 15_000
/** A session that never acknowledges is asked after twice as long each time, after 16 minutes at most. */
const ASKED_DOUBLINGS_MAX = 5

/** When a wallet that was invited as often as may be can be invited again. */
export const nextInvitationAtMs = ({ invitedAtMs: [oldest = 0] }: MailboxRecord): number =>
  oldest + INVITATIONS_WINDOW_MS

type Decided = readonly MailboxEvent[] | Refused
type Command<Type extends MailboxCommand['type']> = Extract<MailboxCommand, { readonly type: Type }>

const rules: Decider<MailboxRules> = recordDecider({
  unknown: noSuchMailbox,
  first: ['InviteWallet', 'MailboxCreated'],
  create: (command) => ({ ...command, type: 'MailboxCreated' }),
  created: (facts, atMs) => ({
    ...facts,
    status: 'open',
    invitedAtMs: [atMs],
    connection: null,
    heard: [],
    keys: [],
    messages: [],
    lastPlace: 0,
    expiryAtMs: null,
    sync: nothingWaits,
    spentUntilMs: 0,
    createdAtMs: atMs,
    removedAtMs: null,
  }),
  again: (state, command) => {
    const { atMs, invitation } = command
    if (state.status === 'removed') return noSuchMailbox
    const isFull = state.invitedAtMs.length >= limits.mediatorInvitationsMax
    if (isFull && atMs < nextInvitationAtMs(state)) return invitedTooOften
    return [{ type: 'WalletInvited', atMs, invitation }]
  },
  decide: (state, command) => {
    if (state.status === 'removed') return command.type === 'KeepMessage' ? noSuchKey : noSuchMailbox
    const { atMs } = command
    switch (command.type) {
      case 'ConnectPhone':
        return connect(state, command)
      case 'CompletePhone':
        if (state.connection?.theirKey !== command.theirKey) return noSuchMailbox
        return state.connection.isComplete ? NOTHING_HAPPENS : [{ type: 'PhoneCompleted', atMs }]
      case 'ChangeKeys':
        return hearing(state, command) ?? changeKeys(state, command)
      case 'HearMessage':
        return hearing(state, command) ?? [heardNow(command)]
      case 'GiveUpKeys':
        return switched(atMs, [], activeAmong(state, command.keys))
      case 'KeepMessage':
        return keep(state, command)
      case 'TakeMessages':
        return take(state, command)
      case 'DropMessages':
        return drop(state, command)
      case 'RequestSync':
        return mayHear(state, atMs) ? [syncRequested(state, atMs)] : NOTHING_HAPPENS
      case 'AskSessions':
        return (syncDueMs(state) ?? Infinity) <= atMs ? [{ type: 'SessionsDue', atMs }] : NOTHING_HAPPENS
      case 'RecordSessions':
        if (!state.sync.isDue) return NOTHING_HAPPENS
        if (command.isTaken || !mayHear(state, atMs)) return [{ type: 'SessionsAsked', atMs }]
        return [syncRequested(state, atMs)]
      case 'ExpireMessages':
        return expire(state, atMs)
      case 'RemoveMailbox':
        return [{ type: 'MailboxRemoved', atMs }]
    }
  },
  evolve,
  owed: ({ sync, lastPlace }) =>
    sync.isDue ? [{ id: `sessions:${lastPlace}:${sync.askedAtMs ?? 0}`, kind: 'ask-sessions' }] : [],
  timers: (state) => [
    ...timerAt(EXPIRY_TIMER, state.expiryAtMs),
    ...timerAt(SYNC_TIMER, state.sync.isDue ? null : syncDueMs(state)),
  ],
})

export const tallyOf = (messages: readonly QueuedMessage[]): Tally => ({
  count: messages.length,
  bytes: messages.reduce((sum, { bytes }) => sum + bytes, 0),
  oldestAtMs: messages[0]?.atMs ?? null,
  newestAtMs: messages.at(-1)?.atMs ?? null,
})

const door = (record: MailboxRecord): MailboxDoor => {
  const { status, tenant, walletId, invitation, connection, messages, sync } = record
  const mayHearAtMs = sync.lastAtMs === null ? 0 : sync.lastAtMs + SYNC_PAUSE_MS
  const [waiting, lastId] = [tallyOf(messages), messages.at(-1)?.id ?? null]
  return { status, tenant, walletId, invitation, connection, waiting, lastId, mayHearAtMs }
}

const viewed =
  <View>(view: (record: MailboxRecord) => View) =>
  (state: MailboxTypes['state']): View | Refused =>
    state.status === 'none' ? noSuchMailbox : view(state)

export const mailboxDecider: Decider<MailboxTypes> = {
  ...rules,
  // Whatever was decided, there is a record behind it.
  reply: (state) => door(state as MailboxRecord),
  views: {
    record: viewed((record) => record),
    door: viewed(door),
    queue: viewed(({ connection, messages }) => ({ connection, messages })),
    waiting: viewed(({ messages }) => messages.map(({ id }) => id)),
    keys: viewed(({ keys }) => keys ?? []),
    owner: viewed(({ tenant }) => ({ tenant })),
  },
}

const timerAt = (id: string, dueMs: number | null): readonly Timer[] =>
  dueMs === null ? [] : [{ id, dueMs }]

function connect(state: MailboxRecord, { connection, atMs }: Command<'ConnectPhone'>): Decided {
  if (isSameHandshake(state.connection, connection)) return NOTHING_HAPPENS
  const { invitation } = state
  if (invitation?.id !== connection.invitation.id || atMs > invitation.expiresAtMs) return invitationOver
  return [{ type: 'PhoneConnected', atMs, connection }]
}

/** A request that comes once more is answered with what was made for it. */
const isSameHandshake = (known: PhoneConnection | null, come: PhoneConnection): boolean =>
  known !== null &&
  known.invitation.id === come.invitation.id &&
  known.requestId === come.requestId &&
  known.theirKey === come.theirKey

/** Why it is not heard; null where it is. */
const hearing = (
  { heard, spentUntilMs }: MailboxRecord,
  { mark, atMs }: Command<'HearMessage' | 'ChangeKeys'>,
): Refused | null => {
  if (heard.includes(mark)) return heardBefore
  return hasPaceFor(spentUntilMs, atMs, WORD_MS) ? null : tooFast
}

const heardNow = ({ mark, atMs }: Command<'HearMessage' | 'ChangeKeys'>): MailboxEvent => ({
  type: 'MessageHeard',
  atMs,
  mark,
})

function changeKeys(state: MailboxRecord, command: Command<'ChangeKeys'>): Decided {
  const { add, remove, atMs } = command
  const known = state.keys ?? []
  const places = new Map(known.map(({ key }, index) => [key, index]))
  const fresh = [...new Set(add)].filter((key) => !places.has(key))
  const keys = fresh.slice(0, limits.mailboxKeysMax - known.length)
  const takenBack = new Set(remove)
  const on = [...new Set(add)].flatMap((key) => {
    const index = places.get(key)
    return index === undefined || known[index]?.isActive === true || takenBack.has(key) ? [] : [index]
  })
  const freshOff = keys.flatMap((key, index) => (takenBack.has(key) ? [known.length + index] : []))
  const added: readonly MailboxEvent[] = keys.length === 0 ? [] : [{ type: 'KeysAdded', atMs, keys }]
  return [heardNow(command), ...added, ...switched(atMs, on, [...activeAmong(state, remove), ...freshOff])]
}

const activeAmong = ({ keys }: MailboxRecord, named: readonly string[]): readonly number[] => {
  const wanted = new Set(named)
  return (keys ?? []).flatMap(({ key, isActive }, index) => (isActive && wanted.has(key) ? [index] : []))
}

const switched = (atMs: number, on: readonly number[], off: readonly number[]): readonly MailboxEvent[] =>
  on.length + off.length === 0 ? NOTHING_HAPPENS : [{ type: 'KeysSwitched', atMs, on, off }]

function keep(state: MailboxRecord, { to, body, of, bytes, atMs }: Command<'KeepMessage'>): Decided {
  // A repetition, after so many other commands that it is not known as one any more.
  if (state.messages.some(({ id }) => id === body.id)) return NOTHING_HAPPENS
  const index = (state.keys ?? []).findIndex(({ key, isActive }) => isActive && key === to)
  if (index === -1) return noSuchKey
  if (!hasShare(state.messages, index, bytes)) return mailboxFull
  const whose: Pick<QueuedMessage, 'of'> = of === undefined ? {} : { of }
  return [{ type: 'MessageKept', atMs, ...body, ...whose, place: state.lastPlace + 1, to: index, bytes }]
}

function take(state: MailboxRecord, { ids, connection = null, atMs }: Command<'TakeMessages'>): Decided {
  const isOfSession = connection !== null
  if (isOfSession && connection !== state.connection?.ownKey) return noSuchMailbox
  const places = placesOf(state, ids)
  if (places.length === 0) return NOTHING_HAPPENS
  if (!isOfSession && !hasPaceFor(state.spentUntilMs, atMs, TAKING_MS)) return tooFast
  return [{ type: 'MessagesTaken', atMs, places }]
}

function drop(state: MailboxRecord, { ids, atMs }: Command<'DropMessages'>): Decided {
  const places = placesOf(state, ids)
  return places.length === 0 ? NOTHING_HAPPENS : [{ type: 'MessagesDropped', atMs, places }]
}

const placesOf = ({ messages }: MailboxRecord, ids: readonly string[]): readonly number[] => {
  const wanted = new Set(ids)
  return messages.filter(({ id }) => wanted.has(id)).map(({ place }) => place)
}

/**
 * The sender of a forward is not known, but each knows the wallet by another key. What waits for one key is never more than
 * what is left for all others: alone it has half of the room, two have a third each.
 */
const hasShare = (messages: readonly QueuedMessage[], to: number, bytes: number): boolean => {
  let [own, ownBytes, allBytes] = [0, bytes, bytes]
  for (const each of messages) {
    allBytes += each.bytes
    if (each.to !== to) continue
    own += 1
    ownBytes += each.bytes
  }
  return (
    own < limits.mailboxMessagesMax - messages.length && ownBytes <= limits.mailboxBytesMax - allBytes + bytes
  )
}

/** The first message of which the organisation has not heard; those that came later are younger. */
const firstUnheard = ({ messages, sync }: MailboxRecord): QueuedMessage | undefined =>
  messages.find(({ place }) => place > sync.upToPlace)

const mayHear = (state: MailboxRecord, atMs: number): boolean =>
  firstUnheard(state) !== undefined && atMs >= (state.sync.lastAtMs ?? -Infinity) + SYNC_PAUSE_MS

function syncDueMs(state: MailboxRecord): number | null {
  const first = firstUnheard(state)
  if (first === undefined) return null
  const { lastAtMs, askedAtMs, askedInVain = 0 } = state.sync
  const doublings = Math.min(Math.max(askedInVain - 1, 0), ASKED_DOUBLINGS_MAX)
  return Math.max(
    first.atMs + ACKNOWLEDGED_WITHIN_MS,
    (lastAtMs ?? -Infinity) + SYNC_PAUSE_MS,
    (askedAtMs ?? -Infinity) + SYNC_PAUSE_MS * 2 ** doublings,
  )
}

const syncRequested = (state: MailboxRecord, atMs: number): MailboxEvent => {
  const { tenant, walletId, externalId, lastPlace, sync } = state
  const owner = { tenant, walletId, externalId }
  return { type: 'SyncRequested', atMs, ...owner, upToPlace: lastPlace, sequence: sync.sequence + 1 }
}

function expire({ messages, expiryAtMs }: MailboxRecord, atMs: number): Decided {
  if (expiryAtMs === null || atMs < expiryAtMs) return NOTHING_HAPPENS
  const isOver = (message: QueuedMessage): boolean => endOf(message) <= atMs
  const left = messages.filter((message) => !isOver(message))
  const places = messages.filter(isOver).map(({ place }) => place)
  const nextAtMs = left.length === 0 ? null : Math.min(...left.map(endOf))
  return [{ type: 'MessagesExpired', atMs, places, nextAtMs }]
}
