import { impossibleEvent } from '../../domain/decider.ts'
import { HOLDER_WAIT_MS } from '../../domain/exchange.ts'
import { limits } from '../../domain/limits.ts'
import { spentAfter, TAKING_MS, WORD_MS } from './pace.ts'
import type { MailboxEvent, MailboxRecord, QueuedMessage, RegisteredKey, Sync } from './state.ts'

const MESSAGE_LIFE_MS = limits.mailboxMessageDays * 86_400_000
/** By then the exchange has ended because its holder was silent; an hour for what was noted late of its delivery. */
const OF_EXCHANGE_LIFE_MS = HOLDER_WAIT_MS + 3_600_000

/** How long a message waits at most. */
export const lifeOf = ({ of }: Pick<QueuedMessage, 'of'>): number =>
  of === undefined ? MESSAGE_LIFE_MS : OF_EXCHANGE_LIFE_MS

export const endOf = (message: QueuedMessage): number => message.atMs + lifeOf(message)

/** An older one can be sent again; the phone says such a thing when it opens a socket or makes a connection. */
export const HEARD_MAX = 64

export const nothingWaits: Sync = {
  upToPlace: 0,
  lastAtMs: null,
  askedAtMs: null,
  askedInVain: 0,
  isDue: false,
  sequence: 0,
}

export const evolve = (state: MailboxRecord, event: MailboxEvent): MailboxRecord => {
  if (state.status === 'removed') throw impossibleEvent(event, state.status)
  switch (event.type) {
    case 'MailboxCreated':
      throw impossibleEvent(event, state.status)
    case 'WalletInvited': {
      const invitedAtMs = [...state.invitedAtMs, event.atMs].slice(-limits.mediatorInvitationsMax)
      return { ...state, invitation: event.invitation, invitedAtMs }
    }
    case 'PhoneConnected':
      // What was sealed for the connection before is not read any more.
      return {
        ...state,
        invitation: null,
        connection: event.connection,
        heard: [],
        sync: answered(state.sync),
      }
    case 'PhoneCompleted':
      return { ...state, connection: state.connection && { ...state.connection, isComplete: true } }
    case 'MessageHeard':
      return {
        ...state,
        heard: [...state.heard, event.mark].slice(-HEARD_MAX),
        spentUntilMs: spentAfter(state.spentUntilMs, event.atMs, WORD_MS),
      }
    case 'KeysAdded':
    case 'KeysSwitched':
      return { ...state, keys: keysAfter(state.keys, event) }
    case 'MessageKept': {
      const { type: _, ...message } = event
      const expiryAtMs = Math.min(state.expiryAtMs ?? Infinity, endOf(message))
      return { ...state, expiryAtMs, messages: [...state.messages, message], lastPlace: event.place }
    }
    case 'MessagesTaken':
      return {
        ...state,
        messages: without(state.messages, event.places),
        sync: answered(state.sync),
        spentUntilMs: spentAfter(state.spentUntilMs, event.atMs, TAKING_MS),
      }
    case 'MessagesDropped':
      return { ...state, messages: without(state.messages, event.places) }
    case 'MessagesExpired':
      return { ...state, messages: without(state.messages, event.places), expiryAtMs: event.nextAtMs }
    case 'SessionsDue':
      return { ...state, sync: { ...state.sync, isDue: true } }
    case 'SessionsAsked': {
      const { sync } = state
      const askedInVain = (sync.askedInVain ?? 0) + 1
      return { ...state, sync: { ...sync, isDue: false, askedAtMs: event.atMs, askedInVain } }
    }
    case 'SyncRequested': {
      const { atMs, upToPlace, sequence } = event
      const times = { lastAtMs: atMs, askedAtMs: atMs, askedInVain: 0 }
      return { ...state, sync: { upToPlace, sequence, ...times, isDue: false } }
    }
    case 'MailboxRemoved':
      return { ...state, ...nothingLeft, status: 'removed', removedAtMs: event.atMs }
  }
}

const nothingLeft = {
  invitation: null,
  connection: null,
  heard: [],
  keys: null,
  messages: [],
  expiryAtMs: null,
  sync: nothingWaits,
} as const

const answered = (sync: Sync): Sync => ((sync.askedInVain ?? 0) === 0 ? sync : { ...sync, askedInVain: 0 })

const without = (messages: readonly QueuedMessage[], places: readonly number[]): readonly QueuedMessage[] => {
  const gone = new Set(places)
  return messages.filter(({ place }) => !gone.has(place))
}

type KeysEvent = Extract<MailboxEvent, { readonly type: 'KeysAdded' | 'KeysSwitched' }>

/** Null where its keys were erased. */
function keysAfter(keys: readonly RegisteredKey[] | null, event: KeysEvent): readonly RegisteredKey[] | null {
  if (keys === null) return null
  if (event.type === 'KeysAdded')
    return event.keys && [...keys, ...event.keys.map((key) => ({ key, isActive: true }))]
  const [on, off] = [new Set(event.on), new Set(event.off)]
  return keys.map((each, index) =>
    on.has(index) || off.has(index) ? { ...each, isActive: on.has(index) } : each,
  )
}
