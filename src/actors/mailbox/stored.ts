import { Type } from 'typebox'
import { oneOf, orNull, storedRecord, text, textOrNull, time } from '../stored-fields.ts'

const owner = { tenant: text, walletId: text, externalId: textOrNull }
const invited = Type.Object({ id: text, ownSeed: text, ownKey: text, expiresAtMs: time })
const invitation = orNull(invited)
const connection = orNull(
  Type.Object({
    invitation: invited,
    requestId: text,
    theirKey: text,
    ownSeed: text,
    ownKey: text,
    isComplete: Type.Boolean(),
  }),
)
// Messages that earlier releases kept name no exchange.
const message = { id: text, hash: text, of: Type.Optional(text), place: time, to: time, bytes: time }
const places = Type.Array(time)

export const mailboxStored = storedRecord({
  personal: ['invitation', 'connection', 'keys'],
  events: {
    MailboxCreated: { ...owner, invitation },
    WalletInvited: { invitation },
    PhoneConnected: { connection },
    PhoneCompleted: {},
    MessageHeard: { mark: text },
    KeysAdded: { keys: orNull(Type.Array(text)) },
    KeysSwitched: { on: places, off: places },
    MessageKept: message,
    MessagesTaken: { places },
    MessagesDropped: { places },
    MessagesExpired: { places, nextAtMs: orNull(time) },
    SessionsDue: {},
    SessionsAsked: {},
    SyncRequested: { ...owner, upToPlace: time, sequence: Type.Integer({ minimum: 1 }) },
    MailboxRemoved: {},
  },
  records: [
    {
      status: oneOf(['open', 'removed']),
      ...owner,
      invitation,
      invitedAtMs: Type.Array(time),
      connection,
      heard: Type.Array(text),
      keys: orNull(Type.Array(Type.Object({ key: text, isActive: Type.Boolean() }))),
      messages: Type.Array(Type.Object({ ...message, atMs: time })),
      lastPlace: time,
      expiryAtMs: orNull(time),
      sync: Type.Object({
        upToPlace: time,
        lastAtMs: orNull(time),
        askedAtMs: orNull(time),
        // Snapshots of earlier releases do not have it.
        askedInVain: Type.Optional(time),
        isDue: Type.Boolean(),
        sequence: Type.Integer({ minimum: 0 }),
      }),
      // Snapshots of earlier releases do not have it.
      spentUntilMs: Type.Optional(time),
      createdAtMs: time,
      removedAtMs: orNull(time),
    },
  ],
})
