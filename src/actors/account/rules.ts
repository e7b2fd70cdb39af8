import { NOTHING_HAPPENS, impossibleEvent, refuse, type Decider, type Refused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import type {
  AccountCommand,
  AccountEvent,
  AccountRecord,
  AccountState,
  AccountTypes,
  NewSession,
  Pass,
  Private,
  Session,
} from './state.ts'

/**
 *   none ──invite──▶ invited ──enrolment confirmed──▶ active ──remove──▶ removed
 *
 * A password alone opens nothing: it gives a pass, and only the second factor turns the pass into a session.
 */
export const accountDecider: Decider<AccountTypes> = {
  initialState: { status: 'none' },
  decide,
  evolve,
  reply: (state) => (isKnown(state) ? state : null),
  views: { record: (state) => (isKnown(state) ? state : noSuchAccount) },
}

type Decided = readonly AccountEvent[] | Refused
type Of<Type extends AccountCommand['type']> = Extract<AccountCommand, { readonly type: Type }>

/** What others say of an account; everything else is said by the person who is signed in to it. */
const ABOUT_ACCOUNTS = [
  'InviteAccount',
  'ChangeRole',
  'RemoveAccount',
  'RenewInvitation',
  'BeginEnrolment',
  'ConfirmEnrolment',
] as const

const isAboutAccount = ({ type }: AccountCommand): boolean =>
  (ABOUT_ACCOUNTS as readonly string[]).includes(type)

const isKnown = (state: AccountState): state is AccountRecord =>
  state.status === 'invited' || state.status === 'active'

export const noSuchAccount = refuse('not_found', 'There is no such account.')
export const notSignedIn = refuse('unauthorized', 'The session is over; sign in again.')
export const noInvitation = refuse('not_found', 'The invitation is not valid any more; ask for a new one.')
export const signInOver = refuse('unauthorized', 'The sign-in took too long; begin again.')
const wrongCode = refuse('unauthorized', 'The code is wrong, or was used before.')

function decide(state: AccountState, command: AccountCommand): Decided {
  if (command.type === 'InviteAccount') {
    if (state.status !== 'none') return isKnown(state) ? NOTHING_HAPPENS : noSuchAccount
    const { type: _, ...invited } = command
    return [{ type: 'AccountInvited', ...invited }]
  }
  if (!isKnown(state)) return isAboutAccount(command) ? noSuchAccount : notSignedIn
  const { atMs } = command
  switch (command.type) {
    case 'ChangeRole': {
      const { role } = command
      return state.role === role ? NOTHING_HAPPENS : [{ type: 'RoleChanged', atMs, role }]
    }
    case 'RemoveAccount':
      return [{ type: 'AccountRemoved', atMs }]
    case 'RenewInvitation': {
      if (state.status !== 'invited')
        return refuse('already_member', 'Somebody with this address has an account already.')
      return [{ type: 'InvitationRenewed', atMs, invitation: command.invitation }]
    }
    case 'BeginEnrolment':
    case 'ConfirmEnrolment':
      return enrol(state, command)
    default:
      return state.status === 'active' ? decideActive(state, command) : notSignedIn
  }
}

const enrol = (state: AccountRecord, command: Of<'BeginEnrolment' | 'ConfirmEnrolment'>): Decided => {
  if (state.status !== 'invited' || !isGood(state.invitation, command.invitationHash, command.atMs))
    return noInvitation
  const { atMs } = command
  if (command.type === 'BeginEnrolment') {
    const { name, passwordHash, totpSeed } = command
    return [{ type: 'EnrolmentBegun', atMs, name, passwordHash, totpSeed }]
  }
  if ((state.private?.totpSeed ?? null) === null) return noInvitation
  const { step, recoveryHashes } = command
  if (step === null || step <= state.lastTotpStep) return wrongCode
  const session = newSession(state, command.session, atMs)
  return [{ type: 'EnrolmentConfirmed', atMs, step, recoveryHashes, session }]
}

type OfActive = Exclude<AccountCommand, Of<(typeof ABOUT_ACCOUNTS)[number]>>

const decideActive = (state: AccountRecord, command: OfActive): Decided => {
  const { atMs } = command
  const isLive = (sessionId: string): boolean => liveSessions(state, atMs).some(({ id }) => id === sessionId)
  switch (command.type) {
    case 'OpenSignIn':
      return [{ type: 'SignInOpened', atMs, signIn: command.signIn }]
    case 'FinishSignIn':
      return finishSignIn(state, command)
    case 'StepUp': {
      const { sessionId, step } = command
      if (!isLive(sessionId)) return notSignedIn
      if (step === null || step <= state.lastTotpStep) return wrongCode
      return [{ type: 'SteppedUp', atMs, sessionId, step }]
    }
    case 'EndSession': {
      const { sessionId } = command
      if (!isLive(sessionId)) return refuse('not_found', 'There is no session with this id.')
      return [{ type: 'SessionEnded', atMs, sessionId }]
    }
    case 'EndSessions':
      return [{ type: 'SessionsEnded', atMs }]
    case 'ChangePassword': {
      const { passwordHash, keepSessionId } = command
      return [{ type: 'PasswordChanged', atMs, passwordHash, keepSessionId }]
    }
    case 'AddPasskey': {
      const passkeys = state.private?.passkeys ?? []
      if (passkeys.some(({ id }) => id === command.passkey.id)) return NOTHING_HAPPENS
      if (passkeys.length >= limits.passkeysMax)
        return refuse('invalid_request', `An account has at most ${limits.passkeysMax} passkeys.`)
      return [{ type: 'PasskeyAdded', atMs, passkey: command.passkey }]
    }
    case 'RemovePasskey': {
      const { passkeyId } = command
      if (state.private?.passkeys.some(({ id }) => id === passkeyId) !== true)
        return refuse('not_found', 'There is no passkey with this id.')
      return [{ type: 'PasskeyRemoved', atMs, passkeyId }]
    }
    case 'ReplaceRecoveryCodes':
      return [{ type: 'RecoveryCodesReplaced', atMs, recoveryHashes: command.recoveryHashes }]
  }
}

const finishSignIn = (state: AccountRecord, command: Of<'FinishSignIn'>): Decided => {
  const { atMs, signInHash, factor } = command
  if (!isGood(state.signIn, signInHash, atMs)) return signInOver
  const session = newSession(state, command.session, atMs)
  if (factor.by === 'totp') {
    const { step } = factor
    if (step === null || step <= state.lastTotpStep) return wrongCode
    return [{ type: 'SignedIn', atMs, step, recoveryHash: null, session }]
  }
  if (factor.by === 'passkey') {
    const { id: passkeyId, counter } = factor
    const used = state.private?.passkeys.find(({ id }) => id === passkeyId)
    if (passkeyId === null || used === undefined || !isNewer(counter, used.counter)) return wrongCode
    return [{ type: 'SignedInByPasskey', atMs, passkeyId, counter, session }]
  }
  if (state.private?.recoveryHashes.includes(factor.hash) !== true) return wrongCode
  return [{ type: 'SignedIn', atMs, step: null, recoveryHash: factor.hash, session }]
}

/** A device that counts must count on; one that went back was copied. Many do not count at all. */
const isNewer = (counter: number, known: number): boolean => counter > known || (counter === 0 && known === 0)

const isGood = (pass: Pass | null, hash: string, atMs: number): boolean =>
  pass !== null && pass.hash === hash && atMs < pass.expiresAtMs

export const liveSessions = (state: AccountRecord, atMs: number): readonly Session[] =>
  (state.private?.sessions ?? []).filter(({ expiresAtMs }) => atMs < expiresAtMs)

/** Its end is fixed when it begins: using it does not put it off. */
const newSession = ({ role }: AccountRecord, session: NewSession, atMs: number): Session => {
  const hours = role === 'operator' ? limits.operatorSessionHours : limits.memberSessionHours
  return { ...session, openedAtMs: atMs, expiresAtMs: atMs + hours * 3_600_000, steppedUpAtMs: atMs }
}

function evolve(state: AccountState, event: AccountEvent): AccountState {
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
      const used = passkeys.map((each) =>
        each.id === passkeyId ? { ...each, counter, lastUsedAtMs: atMs } : each,
      )
      return changed({ passkeys: used, sessions: withSession(sessions, session, atMs) }, { signIn: null })
    }
    case 'PasskeyAdded':
      return event.passkey === null ? state : changed({ passkeys: [...passkeys, event.passkey] })
    case 'PasskeyRemoved':
      return changed({ passkeys: passkeys.filter(({ id }) => id !== event.passkeyId) })
    case 'SteppedUp': {
      const { sessionId, atMs: steppedUpAtMs, step: lastTotpStep } = event
      const raised = sessions.map((each) => (each.id === sessionId ? { ...each, steppedUpAtMs } : each))
      return changed({ sessions: raised }, { lastTotpStep })
    }
    case 'SessionEnded':
      return changed({ sessions: sessions.filter(({ id }) => id !== event.sessionId) })
    case 'SessionsEnded':
      return changed({ sessions: [] }, { signIn: null })
    case 'PasswordChanged': {
      const { passwordHash, keepSessionId } = event
      const kept = sessions.filter(({ id }) => id === keepSessionId)
      return changed({ passwordHash, sessions: kept }, { signIn: null })
    }
    case 'RecoveryCodesReplaced':
      return changed({ recoveryHashes: event.recoveryHashes ?? [] })
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
