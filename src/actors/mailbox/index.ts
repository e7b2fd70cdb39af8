import { words } from '../../http/route/fields.ts'
import type { PublicEvent } from '../../ports/publication.ts'
import { defineKind, keysAbove } from '../define-kind.ts'
import { eventData, eventIdOf, ownName, placeInRecord } from '../state-changed.ts'
import { tags } from '../tags.ts'
import { mailboxRoutes } from './routes.ts'
import { EXPIRY_TIMER, mailboxDecider } from './rules.ts'
import { mailbox, type MailboxEvent, type MailboxTypes } from './state.ts'
import { mailboxStored } from './stored.ts'

/** A state may have a thousand messages and keys, so it is not written for every fifty events. */
const SNAPSHOT_EVERY = 200
const SYNC_REQUESTED = 'wallet.sync_requested'

const syncRequested = (
  actor: string,
  { tenant, walletId, externalId, sequence, atMs }: Extract<MailboxEvent, { type: 'SyncRequested' }>,
): PublicEvent => ({
  id: eventIdOf(actor, sequence),
  type: SYNC_REQUESTED,
  tenant,
  createdAtMs: atMs,
  recordType: 'wallet',
  recordId: walletId,
  actor,
  data: { walletId, externalId, updatedAt: new Date(atMs).toISOString(), sequence },
  sealed: null,
})

/** The mediator's side of each wallet. */
export const mailboxKind = defineKind<MailboxTypes>({
  references: mailbox,
  decider: mailboxDecider,
  ...mailboxStored,
  keyParent: keysAbove,
  snapshotEvery: SNAPSHOT_EVERY,
  erased: ({ status }) => status === 'removed',
  // While it is open another body may always come; those of messages that went are deleted by whoever heard of it.
  bodiesKept: ({ status }) => (status === 'removed' ? [] : null),
  isOver: ({ status }) => status === 'removed',
  // A phone has messages for years, and who reads of them reads the log.
  foldsWhileAlive: true,
  tenantOf: (state) => (state.status === 'none' ? null : state.tenant),
  // Messages come by way of any node, and their times are compared with each other.
  dated: (command, nowMs) => ({ ...command, atMs: nowMs }),
  effects: ({ mailboxWatch, runtime }) => ({
    perform: async (_, { actor }) => {
      const isTaken = await mailboxWatch.announce(actor)
      return { type: 'RecordSessions', atMs: runtime.now(), isTaken }
    },
  }),
  onTimer: (timerId, atMs) => ({ type: timerId === EXPIRY_TIMER ? 'ExpireMessages' : 'AskSessions', atMs }),
  published: {
    events: [
      {
        type: SYNC_REQUESTED,
        summary: 'The mediator holds messages for a wallet: wake the app',
        tag: tags.webhooks,
        data: eventData({
          walletId: words('The wallet whose app should be woken.', 'wal_9k2m4p6r8t1v3x5z7b9d1f3h'),
          externalId: ownName,
          ...placeInRecord,
        }),
      },
    ],
    publish: (actor, event) => (event.type === 'SyncRequested' ? syncRequested(actor, event) : null),
  },
  envelopes: {
    receive:
      ({ mediator }) =>
      (address, envelope) =>
        mediator.receive(address, envelope),
    looksFirst: true,
  },
  routes: mailboxRoutes,
})
