import { Type } from 'typebox'
import { defineKind } from '../define-kind.ts'
import { rowOfRecord } from '../rows.ts'
import { oneOf, orNull, storedRecord, text, textOrNull, time } from '../stored-fields.ts'
import { mailbox, mailboxOf } from '../mailbox/state.ts'
import { walletRoutes } from './routes.ts'
import { MAILBOX_TIMER, NEVER_CONNECTED_TIMER, walletDecider, wallet, type WalletTypes } from './rules.ts'

const issued = { tenant: text, installationId: text, externalId: textOrNull, tokenHash: text }
const revokers = oneOf(['tenant', 'never_connected'])

/** Wallets of installations of the app of an organisation. */
export const walletKind = defineKind<WalletTypes>({
  references: wallet,
  isCopied: true,
  decider: walletDecider,
  ...storedRecord({
    events: {
      WalletCreated: issued,
      WalletTokenRenewed: { tokenHash: text },
      WalletRevoked: { by: revokers },
      WalletConnected: {},
      WalletSeen: {},
      MailboxGivenUp: {},
      WalletMailboxRemoved: {},
    },
    records: [
      {
        status: oneOf(['pending', 'active', 'revoked']),
        ...issued,
        isTokenRenewed: Type.Boolean(),
        createdAtMs: time,
        updatedAtMs: time,
        revokedAtMs: orNull(time),
        revokedBy: orNull(revokers),
        connectedAtMs: Type.Optional(time),
        lastSeenAtMs: Type.Optional(time),
        mailbox: Type.Optional(oneOf(['due', 'removed'])),
      },
    ],
  }),
  tenantOf: (state) => (state.status === 'none' ? null : state.tenant),
  // It is seen four times an hour for years.
  foldsWhileAlive: true,
  effects: ({ actors, runtime }) => ({
    perform: async (_, { actor }) => {
      const options = { commandId: `remove:${actor}`, tenant: null }
      await actors.ask(mailbox.ref(mailboxOf(actor)), { type: 'RemoveMailbox', atMs: runtime.now() }, options)
      return { type: 'RecordMailboxRemoved', atMs: runtime.now() }
    },
  }),
  waitsSince: (state, timerId) =>
    state.status === 'none' || timerId !== NEVER_CONNECTED_TIMER ? null : state.createdAtMs,
  onTimer: (timerId, atMs) => ({ type: timerId === MAILBOX_TIMER ? 'GiveUpMailbox' : 'ExpireWallet', atMs }),
  listed: {
    list: 'wallet',
    row: (record) => {
      const { externalId, installationId } = record
      return rowOfRecord(record, { externalId, texts: [externalId, installationId] })
    },
  },
  routes: walletRoutes,
})
