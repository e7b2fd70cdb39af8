import type { OldDecider, Decision, Timer } from '../../domain/decider.ts'
import { type Refused, refuse } from '../../domain/refused.ts'
import { limits } from '../../domain/limits.ts'

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
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revokedAtMs: number | null
  readonly revokedBy: 'tenant' | 'never_connected' | null
}
export type WalletState = { readonly status: 'none' } | WalletRecord

type Issued = Pick<WalletRecord, 'tenant' | 'installationId' | 'externalId' | 'tokenHash'>

export type WalletCommand =
  /** The first creates the wallet, every further one gives it a fresh token. */
  | ({ readonly type: 'IssueWalletToken'; readonly atMs: number } & Issued)
  | { readonly type: 'RevokeWallet'; readonly atMs: number; readonly tenant: string }
  | { readonly type: 'ExpireWallet'; readonly atMs: number }
  | { readonly type: 'ReadWallet' }

export type WalletEvent =
  | ({ readonly type: 'WalletCreated'; readonly atMs: number } & Issued)
  | { readonly type: 'WalletTokenRenewed'; readonly atMs: number; readonly tokenHash: string }
  | {
      readonly type: 'WalletRevoked'
      readonly atMs: number
      readonly by: NonNullable<WalletRecord['revokedBy']>
    }

/** `isNew`: the wallet came to be with this command. */
export type WalletReply = { readonly wallet: WalletRecord; readonly isNew: boolean } | Refused

type Decided = Decision<WalletEvent, WalletReply>

const NEVER_CONNECTED = 'never-connected'
const NEVER_CONNECTED_MS = limits.walletNeverConnectedDays * 86_400_000

export const walletDecider: OldDecider<WalletState, WalletCommand, WalletEvent, WalletReply> = {
  initialState: { status: 'none' },
  decide,
  repeat: (state) => (state.status === 'none' ? unknown().reply : { wallet: state, isNew: false }),
  evolve,
  owed: () => [],
  timers: (state): readonly Timer[] =>
    state.status === 'pending'
      ? [{ id: NEVER_CONNECTED, dueMs: state.createdAtMs + NEVER_CONNECTED_MS }]
      : [],
}

const nothing = (reply: WalletReply): Decided => ({ events: [], reply })
const unmoved = (wallet: WalletRecord): Decided => nothing({ wallet, isNew: false })
const unknown = (): Decided => nothing(refuse('not_found', 'There is no wallet with this id.'))

function decide(state: WalletState, command: WalletCommand): Decided {
  if (command.type === 'IssueWalletToken') return issue(state, command)
  if (state.status === 'none') return unknown()
  switch (command.type) {
    case 'ReadWallet':
      return unmoved(state)
    case 'RevokeWallet':
      if (command.tenant !== state.tenant) return unknown()
      return revoke(state, command.atMs, 'tenant')
    case 'ExpireWallet':
      return revoke(state, command.atMs, 'never_connected')
  }
}

function issue(state: WalletState, command: WalletCommand & { type: 'IssueWalletToken' }): Decided {
  const { type: _, atMs, ...issued } = command
  if (state.status === 'none') {
    const event: WalletEvent = { type: 'WalletCreated', atMs, ...issued }
    return { events: [event], reply: { wallet: evolve(state, event), isNew: true } }
  }
  if (state.status === 'revoked')
    return nothing(
      refuse(
        'wallet_revoked',
        'The wallet of this installation was revoked; reset the app, which makes a new one.',
      ),
    )
  if (state.externalId !== issued.externalId)
    return nothing(
      refuse(
        'idempotency_key_reused',
        'This installation has a wallet with another externalId; send the one it was created with.',
      ),
    )
  return moved(state, { type: 'WalletTokenRenewed', atMs, tokenHash: issued.tokenHash })
}

const revoke = (state: WalletRecord, atMs: number, by: 'tenant' | 'never_connected'): Decided =>
  state.status === 'revoked' ? unmoved(state) : moved(state, { type: 'WalletRevoked', atMs, by })

function evolve(state: WalletState, event: WalletEvent): WalletRecord {
  if (event.type === 'WalletCreated') {
    if (state.status !== 'none') throw impossible(state, event)
    const { type: _, atMs, ...issued } = event
    const never = { revokedAtMs: null, revokedBy: null }
    return { ...issued, status: 'pending', createdAtMs: atMs, updatedAtMs: atMs, ...never }
  }
  if (state.status !== 'pending') throw impossible(state, event)
  const at = { ...state, updatedAtMs: event.atMs }
  if (event.type === 'WalletTokenRenewed') return { ...at, tokenHash: event.tokenHash }
  return { ...at, status: 'revoked', revokedAtMs: event.atMs, revokedBy: event.by }
}

const moved = (state: WalletRecord, event: WalletEvent): Decided => ({
  events: [event],
  reply: { wallet: evolve(state, event), isNew: false },
})

const impossible = (state: WalletState, event: WalletEvent): Error =>
  new Error(`${event.type} is impossible in ${state.status}`)
