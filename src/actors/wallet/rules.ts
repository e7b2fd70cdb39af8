import { NOTHING_HAPPENS, impossibleEvent, refuse, type Decider } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'

/**
 *   none ──create──▶ pending ──revoke, or seven days without a connection──▶ revoked
 *                       └──its phone connects──▶ active ──revoke──▶ revoked
 *
 * 30 days after its revocation it is without its mailbox, which there may be from its first invitation on.
 * One per installation of an app: its id is made from the installation's, so the same installation finds it again.
 * Of the token only its hash is known; a fresh one takes the place of the one before.
 */
export type WalletRecord = {
  readonly status: 'pending' | 'active' | 'revoked'
  readonly tenant: string
  readonly installationId: string
  readonly externalId: string | null
  readonly tokenHash: string
  /** False while the token is the one that the wallet was created with. */
  readonly isTokenRenewed: boolean
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revokedAtMs: number | null
  readonly revokedBy: 'tenant' | 'never_connected' | null
  /** Left out where its phone was never there. */
  readonly connectedAtMs?: number
  /** Within the time that passes before it is written down again. */
  readonly lastSeenAtMs?: number
  /** What becomes of the mailbox of a wallet that was revoked; left out before its time comes. */
  readonly mailbox?: 'due' | 'removed'
}

type Timed = { readonly atMs: number }
type Issued = Timed & Pick<WalletRecord, 'tenant' | 'installationId' | 'externalId' | 'tokenHash'>

export type WalletCommand =
  /** The first creates the wallet, every further one gives it a fresh token. */
  | ({ readonly type: 'IssueWalletToken' } & Issued)
  | ({ readonly type: 'RevokeWallet'; readonly tenant: string } & Timed)
  | ({ readonly type: 'ExpireWallet' } & Timed)
  /** Its phone has connected with its mailbox. */
  | ({ readonly type: 'RecordWalletConnected' } & Timed)
  /** Its phone has come for its messages. */
  | ({ readonly type: 'RecordWalletSeen' } & Timed)
  /** 30 days after its revocation. */
  | ({ readonly type: 'GiveUpMailbox' } & Timed)
  | ({ readonly type: 'RecordMailboxRemoved' } & Timed)

export type WalletEvent =
  | ({ readonly type: 'WalletCreated' } & Issued)
  | ({ readonly type: 'WalletTokenRenewed'; readonly tokenHash: string } & Timed)
  | ({ readonly type: 'WalletRevoked'; readonly by: NonNullable<WalletRecord['revokedBy']> } & Timed)
  | ({ readonly type: 'WalletConnected' } & Timed)
  | ({ readonly type: 'WalletSeen' } & Timed)
  | ({ readonly type: 'MailboxGivenUp' } & Timed)
  | ({ readonly type: 'WalletMailboxRemoved' } & Timed)

export type WalletEffect = { readonly id: string; readonly kind: 'remove-mailbox' }

export type WalletTypes = RecordTypes<WalletRecord, WalletCommand, WalletEvent, WalletEffect>

export const wallet = referencesTo<WalletTypes>('wal')
export const noSuchWallet = refuse('not_found', 'There is no wallet with this id.')

export const NEVER_CONNECTED_TIMER = 'never-connected'
export const MAILBOX_TIMER = 'mailbox'
const NEVER_CONNECTED_MS = limits.walletNeverConnectedDays * 86_400_000
const MAILBOX_KEPT_MS = limits.walletConnectionRemovalDays * 86_400_000
/** `lastSeenAt` is exact to this: a phone that is open comes every ten seconds. */
export const SEEN_AGAIN_MS = 15 * 60_000

const whyRevoked = {
  tenant: 'The wallet of this installation was revoked; reset the app, which makes a new one.',
  never_connected: `The wallet of this installation was revoked because its app did not connect within ${limits.walletNeverConnectedDays} days; reset the app, which makes a new one.`,
} as const

export const walletDecider: Decider<WalletTypes> = recordDecider({
  unknown: noSuchWallet,
  first: ['IssueWalletToken', 'WalletCreated'],
  create: (command) => ({ ...command, type: 'WalletCreated' }),
  created: (issued, atMs) => ({
    ...issued,
    status: 'pending',
    isTokenRenewed: false,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    revokedAtMs: null,
    revokedBy: null,
  }),
  again: ({ status, externalId, revokedBy }, command) => {
    if (status === 'revoked') return refuse('wallet_revoked', whyRevoked[revokedBy ?? 'tenant'])
    if (externalId !== command.externalId)
      return refuse(
        'idempotency_key_reused',
        'This installation has a wallet with another externalId; send the one it was created with.',
      )
    return [{ type: 'WalletTokenRenewed', atMs: command.atMs, tokenHash: command.tokenHash }]
  },
  decide: (record, command) => {
    const { status } = record
    const { atMs } = command
    switch (command.type) {
      case 'RevokeWallet':
        if (command.tenant !== record.tenant) return noSuchWallet
        return status === 'revoked' ? NOTHING_HAPPENS : [{ type: 'WalletRevoked', atMs, by: 'tenant' }]
      case 'ExpireWallet':
        return status === 'pending'
          ? [{ type: 'WalletRevoked', atMs, by: 'never_connected' }]
          : NOTHING_HAPPENS
      case 'RecordWalletConnected':
        if (status === 'revoked') return refuse('wallet_revoked', whyRevoked[record.revokedBy ?? 'tenant'])
        return status === 'pending' ? [{ type: 'WalletConnected', atMs }] : NOTHING_HAPPENS
      case 'RecordWalletSeen':
        return isToBeNoted(record, atMs) ? [{ type: 'WalletSeen', atMs }] : NOTHING_HAPPENS
      case 'GiveUpMailbox':
        return atMs >= (mailboxEndsMs(record) ?? Infinity)
          ? [{ type: 'MailboxGivenUp', atMs }]
          : NOTHING_HAPPENS
      case 'RecordMailboxRemoved':
        return record.mailbox === 'due' ? [{ type: 'WalletMailboxRemoved', atMs }] : NOTHING_HAPPENS
    }
  },
  evolve: (record, event) => {
    if (!isPossible(record, event)) throw impossibleEvent(event, record.status)
    // That it was seen is no change of the record.
    if (event.type === 'WalletSeen') return { ...record, lastSeenAtMs: event.atMs }
    const at = { ...record, updatedAtMs: event.atMs }
    switch (event.type) {
      case 'WalletTokenRenewed':
        return { ...at, tokenHash: event.tokenHash, isTokenRenewed: true }
      case 'WalletConnected':
        return { ...at, status: 'active', connectedAtMs: event.atMs, lastSeenAtMs: event.atMs }
      case 'WalletRevoked':
        return { ...at, status: 'revoked', revokedAtMs: event.atMs, revokedBy: event.by }
      case 'MailboxGivenUp':
        return { ...record, mailbox: 'due' }
      case 'WalletMailboxRemoved':
        return { ...record, mailbox: 'removed' }
    }
  },
  owed: ({ mailbox }) => (mailbox === 'due' ? [{ id: 'remove-mailbox', kind: 'remove-mailbox' }] : []),
  timers: (record) => {
    if (record.status === 'pending')
      return [{ id: NEVER_CONNECTED_TIMER, dueMs: record.createdAtMs + NEVER_CONNECTED_MS }]
    const dueMs = mailboxEndsMs(record)
    return dueMs === null ? [] : [{ id: MAILBOX_TIMER, dueMs }]
  },
})

/** Null where it is not to end yet, or its end has begun. */
const mailboxEndsMs = ({ revokedAtMs, mailbox }: WalletRecord): number | null =>
  revokedAtMs === null || mailbox !== undefined ? null : revokedAtMs + MAILBOX_KEPT_MS

const isToBeNoted = ({ connectedAtMs, lastSeenAtMs }: WalletRecord, atMs: number): boolean =>
  connectedAtMs !== undefined && atMs >= (lastSeenAtMs ?? connectedAtMs) + SEEN_AGAIN_MS

const isPossible = ({ status, connectedAtMs }: WalletRecord, { type }: WalletEvent): boolean => {
  if (type === 'WalletTokenRenewed' || type === 'WalletRevoked') return status !== 'revoked'
  if (type === 'WalletConnected') return status === 'pending'
  return type === 'WalletSeen'
    ? connectedAtMs !== undefined
    : status === 'revoked' && type !== 'WalletCreated'
}
