import { NOTHING_HAPPENS, impossibleEvent, refuse, type Decider } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'

/**
 *   none ──create──▶ pending ──revoke, or seven days without a connection──▶ revoked
 *
 * One per installation of an app: its id is made from the installation's, so the same installation finds it again.
 * Of the token only its hash is known; a fresh one takes the place of the one before.
 */
export type WalletRecord = {
  readonly status: 'pending' | 'revoked'
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
}

type At = { readonly atMs: number }
type Issued = At & Pick<WalletRecord, 'tenant' | 'installationId' | 'externalId' | 'tokenHash'>

export type WalletCommand =
  /** The first creates the wallet, every further one gives it a fresh token. */
  | ({ readonly type: 'IssueWalletToken' } & Issued)
  | ({ readonly type: 'RevokeWallet'; readonly tenant: string } & At)
  | ({ readonly type: 'ExpireWallet' } & At)

export type WalletEvent =
  | ({ readonly type: 'WalletCreated' } & Issued)
  | ({ readonly type: 'WalletTokenRenewed'; readonly tokenHash: string } & At)
  | ({ readonly type: 'WalletRevoked'; readonly by: NonNullable<WalletRecord['revokedBy']> } & At)

export type WalletTypes = RecordTypes<WalletRecord, WalletCommand, WalletEvent>

export const wallet = referencesTo<WalletTypes>('wal')
export const noSuchWallet = refuse('not_found', 'There is no wallet with this id.')

const NEVER_CONNECTED = 'never-connected'
const NEVER_CONNECTED_MS = limits.walletNeverConnectedDays * 86_400_000

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
  again: ({ status, externalId }, command) => {
    if (status === 'revoked')
      return refuse(
        'wallet_revoked',
        'The wallet of this installation was revoked; reset the app, which makes a new one.',
      )
    if (externalId !== command.externalId)
      return refuse(
        'idempotency_key_reused',
        'This installation has a wallet with another externalId; send the one it was created with.',
      )
    return [{ type: 'WalletTokenRenewed', atMs: command.atMs, tokenHash: command.tokenHash }]
  },
  decide: ({ status, tenant }, command) => {
    const isExpired = command.type === 'ExpireWallet'
    if (!isExpired && command.tenant !== tenant) return noSuchWallet
    if (status === 'revoked') return NOTHING_HAPPENS
    return [{ type: 'WalletRevoked', atMs: command.atMs, by: isExpired ? 'never_connected' : 'tenant' }]
  },
  evolve: (record, event) => {
    if (record.status !== 'pending') throw impossibleEvent(event, record.status)
    const at = { ...record, updatedAtMs: event.atMs }
    if (event.type === 'WalletTokenRenewed')
      return { ...at, tokenHash: event.tokenHash, isTokenRenewed: true }
    return { ...at, status: 'revoked', revokedAtMs: event.atMs, revokedBy: event.by }
  },
  timers: ({ status, createdAtMs }) =>
    status === 'pending' ? [{ id: NEVER_CONNECTED, dueMs: createdAtMs + NEVER_CONNECTED_MS }] : [],
})
