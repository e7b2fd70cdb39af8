import { type Decider, impossibleEvent, NOTHING_HAPPENS } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { referencesTo } from '../../domain/references.ts'
import { type Refused, refuse } from '../../domain/refused.ts'

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
export type WalletState = { readonly status: 'none' } | WalletRecord

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

export type WalletTypes = {
  readonly state: WalletState
  readonly command: WalletCommand
  readonly event: WalletEvent
  readonly reply: WalletRecord
  readonly views: { readonly record: WalletRecord }
  readonly owed: never
}

export const wallets = referencesTo<WalletTypes>('wal')
export const noSuchWallet = refuse('not_found', 'There is no wallet with this id.')

const NEVER_CONNECTED = 'never-connected'
const NEVER_CONNECTED_MS = limits.walletNeverConnectedDays * 86_400_000

export const walletDecider: Decider<WalletTypes> = {
  initialState: { status: 'none' },
  decide,
  evolve,
  reply: (state) => state as WalletRecord,
  views: { record: (state) => (state.status === 'none' ? noSuchWallet : state) },
  timers: (state) =>
    state.status === 'pending'
      ? [{ id: NEVER_CONNECTED, dueMs: state.createdAtMs + NEVER_CONNECTED_MS }]
      : [],
}

function decide(state: WalletState, command: WalletCommand): readonly WalletEvent[] | Refused {
  if (command.type === 'IssueWalletToken') return issue(state, command)
  if (state.status === 'none') return noSuchWallet
  const isExpired = command.type === 'ExpireWallet'
  if (!isExpired && command.tenant !== state.tenant) return noSuchWallet
  if (state.status === 'revoked') return NOTHING_HAPPENS
  return [{ type: 'WalletRevoked', atMs: command.atMs, by: isExpired ? 'never_connected' : 'tenant' }]
}

function issue(
  state: WalletState,
  command: WalletCommand & { type: 'IssueWalletToken' },
): readonly WalletEvent[] | Refused {
  if (state.status === 'none') return [{ ...command, type: 'WalletCreated' }]
  if (state.status === 'revoked')
    return refuse(
      'wallet_revoked',
      'The wallet of this installation was revoked; reset the app, which makes a new one.',
    )
  if (state.externalId !== command.externalId)
    return refuse(
      'idempotency_key_reused',
      'This installation has a wallet with another externalId; send the one it was created with.',
    )
  return [{ type: 'WalletTokenRenewed', atMs: command.atMs, tokenHash: command.tokenHash }]
}

function evolve(state: WalletState, event: WalletEvent): WalletState {
  if (event.type === 'WalletCreated') {
    if (state.status !== 'none') throw impossibleEvent(event, state.status)
    const { type: _, atMs, ...issued } = event
    const open = { isTokenRenewed: false, revokedAtMs: null, revokedBy: null }
    return { ...issued, status: 'pending', createdAtMs: atMs, updatedAtMs: atMs, ...open }
  }
  if (state.status !== 'pending') throw impossibleEvent(event, state.status)
  const at = { ...state, updatedAtMs: event.atMs }
  if (event.type === 'WalletTokenRenewed') return { ...at, tokenHash: event.tokenHash, isTokenRenewed: true }
  return { ...at, status: 'revoked', revokedAtMs: event.atMs, revokedBy: event.by }
}
