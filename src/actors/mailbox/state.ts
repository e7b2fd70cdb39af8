import type { BodyReference } from '../../domain/body-reference.ts'
import type { RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'

/**
 *   none ──invite──▶ open ──30 days after the wallet's revocation──▶ removed
 *
 * The mediator's side of one wallet, on the wallet's shard: the connection to the phone, the keys under which it is
 * written to, and what waits for it. The personal fields (invitation, connection, keys) are null once it is removed.
 */
export type MailboxRecord = {
  readonly status: 'open' | 'removed'
  readonly tenant: string
  readonly walletId: string
  readonly externalId: string | null
  /** The one that can be answered now; a newer one takes the place of one that was not. */
  readonly invitation: WalletInvitation | null
  /** When the last ones were made, the oldest first; no more than may be within their window. */
  readonly invitedAtMs: readonly number[]
  readonly connection: PhoneConnection | null
  /** Of the last messages of the phone that may be heard once, the newest at the end. */
  readonly heard: readonly string[]
  /** In the order in which they were registered, with those that were taken back; it only grows, up to its limit. */
  readonly keys: readonly RegisteredKey[] | null
  /** The oldest first. */
  readonly messages: readonly QueuedMessage[]
  /** Of the message that came last. */
  readonly lastPlace: number
  /** When the oldest message is to be looked at, whether it is still there or not; null where nothing ever waits. */
  readonly expiryAtMs: number | null
  readonly sync: Sync
  /** Of the room that its phone has for what is written down, all up to this time is taken. */
  readonly spentUntilMs?: number
  readonly createdAtMs: number
  readonly removedAtMs: number | null
}

export type WalletInvitation = {
  readonly id: string
  readonly ownSeed: string
  readonly ownKey: string
  readonly expiresAtMs: number
}

/** Between the phone and its mailbox; seeds are base64url, keys base58. */
export type PhoneConnection = {
  /** Answers the request of the handshake, also when it is sent again. */
  readonly invitation: WalletInvitation
  readonly requestId: string
  readonly theirKey: string
  readonly ownSeed: string
  readonly ownKey: string
  /** The phone has written over it. */
  readonly isComplete: boolean
}

export type RegisteredKey = { readonly key: string; readonly isActive: boolean }

/**
 * The envelope itself is a body beside the journal, under the same id. `of`: the exchange whose message it is, with whose key
 * it is sealed; left out where the mailbox's own key seals it.
 */
export type QueuedMessage = BodyReference & {
  readonly of?: string
  readonly place: number
  /** Which of the keys it was sent to, by its index. */
  readonly to: number
  readonly bytes: number
  readonly atMs: number
}

/** What the organisation has heard of what waits. */
export type Sync = {
  /** The last message that it heard of. */
  readonly upToPlace: number
  readonly lastAtMs: number | null
  /** When a session was last asked whether it has taken what waits. */
  readonly askedAtMs: number | null
  /** How often sessions were asked since the phone has last acknowledged something. */
  readonly askedInVain?: number
  /** Sessions are to be asked now. */
  readonly isDue: boolean
  /** Counts the events that organisations hear. */
  readonly sequence: number
}

type At = { readonly atMs: number }
type Owner = Pick<MailboxRecord, 'tenant' | 'walletId' | 'externalId'>

export type MailboxCommand =
  /** The first makes the mailbox. */
  | ({ readonly type: 'InviteWallet'; readonly invitation: WalletInvitation } & At & Owner)
  /** The phone answers the invitation. */
  | ({ readonly type: 'ConnectPhone'; readonly connection: PhoneConnection } & At)
  /** The phone has written with the key of its connection. */
  | ({ readonly type: 'CompletePhone'; readonly theirKey: string } & At)
  /** A key that is named twice is added first, and then taken back. */
  | ({
      readonly type: 'ChangeKeys'
      readonly mark: string
      readonly add: readonly string[]
      readonly remove: readonly string[]
    } & At)
  /** A message that does something which is not written down here; refused where it has come before. */
  | ({ readonly type: 'HearMessage'; readonly mark: string } & At)
  /** These belong to another mailbox. */
  | ({ readonly type: 'GiveUpKeys'; readonly keys: readonly string[] } & At)
  | ({
      readonly type: 'KeepMessage'
      readonly to: string
      readonly body: BodyReference
      readonly of?: string
      readonly bytes: number
    } & At)
  /**
   * The phone has these; ids of others change nothing. `connection`: where its session says so for it, our key of the one
   * over which it heard of them.
   */
  | ({
      readonly type: 'TakeMessages'
      readonly ids: readonly string[]
      readonly connection?: string | null
    } & At)
  /** Nobody can open these any more, or is to. */
  | ({ readonly type: 'DropMessages'; readonly ids: readonly string[] } & At)
  /** No session has taken what waits. */
  | ({ readonly type: 'RequestSync' } & At)
  | ({ readonly type: 'AskSessions' } & At)
  /** What they said. */
  | ({ readonly type: 'RecordSessions'; readonly isTaken: boolean } & At)
  | ({ readonly type: 'ExpireMessages' } & At)
  | ({ readonly type: 'RemoveMailbox' } & At)

export type MailboxEvent =
  | ({ readonly type: 'MailboxCreated'; readonly invitation: WalletInvitation | null } & At & Owner)
  | ({ readonly type: 'WalletInvited'; readonly invitation: WalletInvitation | null } & At)
  | ({ readonly type: 'PhoneConnected'; readonly connection: PhoneConnection | null } & At)
  | ({ readonly type: 'PhoneCompleted' } & At)
  | ({ readonly type: 'MessageHeard'; readonly mark: string } & At)
  | ({ readonly type: 'KeysAdded'; readonly keys: readonly string[] | null } & At)
  /** By their index: which are written to, and which are not any more. */
  | ({ readonly type: 'KeysSwitched'; readonly on: readonly number[]; readonly off: readonly number[] } & At)
  | ({ readonly type: 'MessageKept' } & QueuedMessage)
  | ({ readonly type: 'MessagesTaken'; readonly places: readonly number[] } & At)
  | ({ readonly type: 'MessagesDropped'; readonly places: readonly number[] } & At)
  /** `nextAtMs`: when the next one is to be looked at. */
  | ({
      readonly type: 'MessagesExpired'
      readonly places: readonly number[]
      readonly nextAtMs: number | null
    } & At)
  | ({ readonly type: 'SessionsDue' } & At)
  | ({ readonly type: 'SessionsAsked' } & At)
  /** Complete in itself, so that organisations hear it without a look at the record. */
  | ({ readonly type: 'SyncRequested'; readonly upToPlace: number; readonly sequence: number } & At & Owner)
  | ({ readonly type: 'MailboxRemoved' } & At)

export type MailboxEffect = { readonly id: string; readonly kind: 'ask-sessions' }

/** What every message of the phone and every forward needs, and no more: the rest of a record may be long. */
export type MailboxDoor = Pick<
  MailboxRecord,
  'status' | 'tenant' | 'walletId' | 'invitation' | 'connection'
> & {
  readonly waiting: Tally
  /** Of the youngest message that waits. */
  readonly lastId: string | null
  /** When the organisation may hear next that something waits. */
  readonly mayHearAtMs: number
}

export type Tally = {
  readonly count: number
  readonly bytes: number
  readonly oldestAtMs: number | null
  readonly newestAtMs: number | null
}

type AsRecord = RecordTypes<MailboxRecord, MailboxCommand, MailboxEvent, MailboxEffect>

export type MailboxTypes = Omit<AsRecord, 'reply' | 'views'> & {
  readonly reply: MailboxDoor
  readonly views: {
    readonly record: MailboxRecord
    readonly door: MailboxDoor
    /** For those who hand out what waits. */
    readonly queue: Pick<MailboxRecord, 'connection' | 'messages'>
    /** The ids of what waits. */
    readonly waiting: readonly string[]
    readonly keys: readonly RegisteredKey[]
    /** For those who look at all mailboxes. */
    readonly owner: Pick<MailboxRecord, 'tenant'>
  }
}

/** The types that the rules of a record go by. */
export type MailboxRules = AsRecord

export const mailbox = referencesTo<MailboxTypes>('mbx')

const WALLET = 'wal_'
const MAILBOX = 'mbx_'

/** The two share what makes them unique, and with it their shard. */
export const mailboxOf = (walletId: string): string => MAILBOX + walletId.slice(WALLET.length)
