import { limits } from '../../domain/limits.ts'
import type { AccountEvent, AccountRecord, AccountState, Private, Session } from './state.ts'

export function evolveAccount(state: AccountState, event: AccountEvent): AccountState {
  const { atMs } = event
  if (event.type === 'AccountInvited') {
    if (state.status !== 'none') throw impossible(state, event)
    const { organisation, role, emailAddress, invitation } = event
    return {
      status: 'invited',
      organisation,
      role,
      invitation,
      signIn: null,
      lastTotpStep: 0,
      private: { ...nobody, emailAddress },
      createdAtMs: atMs,
      updatedAtMs: atMs,
    }
  }
  if (state.status === 'none' || state.status === 'removed') throw impossible(state, event)
  if (event.type === 'AccountRemoved')
    return { status: 'removed', organisation: state.organisation, removedAtMs: atMs }
  const expected = ofInvited.has(event.type) ? 'invited' : 'active'
  if (event.type !== 'RoleChanged' && state.status !== expected) throw impossible(state, event)
  return { ...moved(state, event), updatedAtMs: atMs }
}

const nobody: Private = {
  emailAddress: null,
  name: null,
  passwordHash: null,
  totpSeed: null,
  recoveryHashes: [],
  sessions: [],
  passkeys: [],
}

const ofInvited: ReadonlySet<AccountEvent['type']> = new Set([
  'InvitationRenewed',
  'EnrolmentBegun',
  'EnrolmentConfirmed',
])

type Move = Exclude<AccountEvent, { readonly type: 'AccountInvited' | 'AccountRemoved' }>

const moved = (state: AccountRecord, event: Move): AccountRecord => {
  const known = state.private ?? nobody
  const keep = (change: Partial<Private>): Private => ({ ...known, ...change })
  const { sessions } = known
  switch (event.type) {
    case 'InvitationRenewed':
      return { ...state, invitation: event.invitation, private: keep({ passwordHash: null, totpSeed: null }) }
    case 'EnrolmentBegun': {
      const { name, passwordHash, totpSeed } = event
      return { ...state, private: keep({ name, passwordHash, totpSeed }) }
    }
    case 'EnrolmentConfirmed': {
      const opened = keep({
        recoveryHashes: event.recoveryHashes ?? [],
        sessions: withSession(sessions, event.session, event.atMs),
      })
      return { ...state, status: 'active', invitation: null, lastTotpStep: event.step, private: opened }
    }
    case 'SignInOpened':
      return { ...state, signIn: event.signIn }
    case 'SignedIn': {
      const recoveryHashes = known.recoveryHashes.filter((hash) => hash !== event.recoveryHash)
      const opened = keep({ recoveryHashes, sessions: withSession(sessions, event.session, event.atMs) })
      return { ...state, signIn: null, lastTotpStep: event.step ?? state.lastTotpStep, private: opened }
    }
    case 'SignedInByPasskey': {
      const { passkeyId, counter, atMs } = event
      const passkeys = known.passkeys.map((each) =>
        each.id === passkeyId ? { ...each, counter, lastUsedAtMs: atMs } : each,
      )
      return {
        ...state,
        signIn: null,
        private: keep({ passkeys, sessions: withSession(sessions, event.session, atMs) }),
      }
    }
    case 'PasskeyAdded':
      return event.passkey === null
        ? state
        : { ...state, private: keep({ passkeys: [...known.passkeys, event.passkey] }) }
    case 'PasskeyRemoved':
      return {
        ...state,
        private: keep({ passkeys: known.passkeys.filter(({ id }) => id !== event.passkeyId) }),
      }
    case 'SteppedUp': {
      const raised = sessions.map((each) =>
        each.id === event.sessionId ? { ...each, steppedUpAtMs: event.atMs } : each,
      )
      return { ...state, lastTotpStep: event.step, private: keep({ sessions: raised }) }
    }
    case 'SessionEnded':
      return { ...state, private: keep({ sessions: sessions.filter(({ id }) => id !== event.sessionId) }) }
    case 'SessionsEnded':
      return { ...state, signIn: null, private: keep({ sessions: [] }) }
    case 'PasswordChanged': {
      const { passwordHash, keepSessionId } = event
      const kept = sessions.filter(({ id }) => id === keepSessionId)
      return { ...state, signIn: null, private: keep({ passwordHash, sessions: kept }) }
    }
    case 'RecoveryCodesReplaced':
      return { ...state, private: keep({ recoveryHashes: event.recoveryHashes ?? [] }) }
    case 'RoleChanged':
      return { ...state, role: event.role }
  }
}

/** What is over goes, and so does the oldest of too many. */
const withSession = (
  sessions: readonly Session[],
  opened: Session | null,
  atMs: number,
): readonly Session[] => {
  const live = sessions.filter(({ expiresAtMs }) => expiresAtMs > atMs)
  return (opened === null ? live : [...live, opened]).slice(-limits.sessionsMax)
}

const impossible = (state: AccountState, event: AccountEvent): Error =>
  new Error(`${event.type} is impossible in ${state.status}`)
