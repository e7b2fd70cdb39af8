import { impossibleEvent } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import type {
  AccountEvent,
  AccountRecord,
  AccountState,
  NewAuthenticator,
  Passkey,
  Private,
  Session,
} from './state.ts'

/** What an account has become by an event. */
export function evolveAccount(state: AccountState, event: AccountEvent): AccountState {
  const { atMs } = event
  if (event.type === 'AccountInvited') {
    if (state.status !== 'none') throw impossibleEvent(event, state.status)
    const { organisation, role, emailAddress, invitation } = event
    return {
      status: 'invited',
      organisation,
      role,
      invitation,
      signIn: null,
      lastTotpStep: 0,
      private: { ...NOTHING_PRIVATE, emailAddress },
      createdAtMs: atMs,
      updatedAtMs: atMs,
    }
  }
  if (state.status === 'none' || state.status === 'removed') throw impossibleEvent(event, state.status)
  if (event.type === 'AccountRemoved')
    return { status: 'removed', organisation: state.organisation, removedAtMs: atMs }
  const expected = ofInvited.has(event.type) ? 'invited' : 'active'
  if (event.type !== 'RoleChanged' && state.status !== expected) throw impossibleEvent(event, state.status)
  return { ...moved(state, event), updatedAtMs: atMs }
}

const NOTHING_PRIVATE: Private = {
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
  const known = state.private ?? NOTHING_PRIVATE
  const { sessions, passkeys } = known
  const changed = (own: Partial<Private>, more: Partial<AccountRecord> = {}): AccountRecord => ({
    ...state,
    ...more,
    private: { ...known, ...own },
  })
  switch (event.type) {
    case 'InvitationRenewed':
      return changed({ passwordHash: null, totpSeed: null }, { invitation: event.invitation })
    case 'EnrolmentBegun': {
      const { name, passwordHash, totpSeed } = event
      return changed({ name, passwordHash, totpSeed })
    }
    case 'EnrolmentConfirmed': {
      const opened = withSession(sessions, event.session, event.atMs)
      return changed(
        { recoveryHashes: event.recoveryHashes ?? [], sessions: opened },
        { status: 'active', invitation: null, lastTotpStep: event.step },
      )
    }
    case 'SignInOpened':
      return { ...state, signIn: event.signIn }
    case 'SignedIn': {
      const recoveryHashes = known.recoveryHashes.filter((hash) => hash !== event.recoveryHash)
      const opened = withSession(sessions, event.session, event.atMs)
      const lastTotpStep = event.step ?? state.lastTotpStep
      return changed({ recoveryHashes, sessions: opened }, { signIn: null, lastTotpStep })
    }
    case 'SignedInByPasskey': {
      const { passkeyId, counter, atMs, session } = event
      const opened = withSession(sessions, session, atMs)
      return changed(
        { passkeys: used(passkeys, passkeyId, counter, atMs), sessions: opened },
        { signIn: null },
      )
    }
    case 'PasskeyAdded':
      return event.passkey === null ? state : changed({ passkeys: [...passkeys, event.passkey] })
    case 'PasskeyRemoved':
      return changed({ passkeys: passkeys.filter(({ id }) => id !== event.passkeyId) })
    case 'RecoveryCodesReplaced':
      return changed({ recoveryHashes: event.recoveryHashes ?? [] })
    case 'RoleChanged':
      return { ...state, role: event.role }
    default:
      return { ...state, ...movedInSession(state, known, event) }
  }
}

type SessionMove = Extract<
  Move,
  {
    readonly type: `SteppedUp${string}` | `Session${string}` | `Authenticator${string}` | 'PasswordChanged'
  }
>

/** What happened in one session, or to several. */
const movedInSession = (
  state: AccountRecord,
  known: Private,
  event: SessionMove,
): Pick<AccountRecord, 'private' | 'signIn' | 'lastTotpStep'> => {
  const { sessions, passkeys } = known
  const { atMs } = event
  const after = (
    own: Partial<Private>,
    more: Partial<Pick<AccountRecord, 'signIn' | 'lastTotpStep'>> = {},
  ) => ({
    signIn: state.signIn,
    lastTotpStep: state.lastTotpStep,
    ...more,
    private: { ...known, ...own },
  })
  switch (event.type) {
    case 'SteppedUp': {
      const { sessionId, step: lastTotpStep } = event
      return after({ sessions: steppedUp(sessions, sessionId, atMs) }, { lastTotpStep })
    }
    case 'SteppedUpByPasskey': {
      const { sessionId, passkeyId, counter } = event
      const raised = steppedUp(sessions, sessionId, atMs)
      return after({ sessions: raised, passkeys: used(passkeys, passkeyId, counter, atMs) })
    }
    case 'AuthenticatorOffered':
      return after({ newAuthenticator: offered(event) })
    case 'AuthenticatorExchanged': {
      const { sessionId, step: lastTotpStep } = event
      const totpSeed = known.newAuthenticator?.totpSeed ?? null
      const kept = sessions.filter(({ id }) => id === sessionId)
      const exchanged = { totpSeed, newAuthenticator: null, sessions: steppedUp(kept, sessionId, atMs) }
      return after(exchanged, { signIn: null, lastTotpStep })
    }
    case 'SessionEnded':
      return after({ sessions: sessions.filter(({ id }) => id !== event.sessionId) })
    case 'SessionsEnded':
      return after({ sessions: [] }, { signIn: null })
    case 'PasswordChanged': {
      const { passwordHash, keepSessionId } = event
      const kept = sessions.filter(({ id }) => id === keepSessionId)
      return after({ passwordHash, sessions: kept }, { signIn: null })
    }
  }
}

const steppedUp = (
  sessions: readonly Session[],
  sessionId: string,
  steppedUpAtMs: number,
): readonly Session[] => sessions.map((each) => (each.id === sessionId ? { ...each, steppedUpAtMs } : each))

const used = (
  passkeys: readonly Passkey[],
  passkeyId: string,
  counter: number,
  lastUsedAtMs: number,
): readonly Passkey[] =>
  passkeys.map((each) => (each.id === passkeyId ? { ...each, counter, lastUsedAtMs } : each))

const offered = ({
  sessionId,
  totpSeed,
  expiresAtMs,
}: Extract<AccountEvent, { type: 'AuthenticatorOffered' }>): NewAuthenticator | null =>
  totpSeed === null ? null : { sessionId, totpSeed, expiresAtMs }

/** What is over goes, and so does the oldest of too many. */
const withSession = (
  sessions: readonly Session[],
  opened: Session | null,
  atMs: number,
): readonly Session[] => {
  const live = sessions.filter(({ expiresAtMs }) => expiresAtMs > atMs)
  return (opened === null ? live : [...live, opened]).slice(-limits.sessionsMax)
}
