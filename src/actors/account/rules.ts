import { NOTHING_HAPPENS, refuse, type Decider, type Refused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { evolveAccount } from './evolve.ts'
import type {
  AccountCommand,
  AccountEvent,
  AccountRecord,
  AccountState,
  AccountTypes,
  NewAuthenticator,
  NewSession,
  Pass,
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
  evolve: evolveAccount,
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
export const noAuthenticator = refuse(
  'not_found',
  'No new authenticator waits for its first code in this session, or it has waited too long; begin again.',
)
const noSession = refuse('not_found', 'There is no session with this id.')
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

type ActiveAccountCommand = Exclude<AccountCommand, Of<(typeof ABOUT_ACCOUNTS)[number]>>

const decideActive = (state: AccountRecord, command: ActiveAccountCommand): Decided => {
  const { atMs } = command
  switch (command.type) {
    case 'OpenSignIn':
      return [{ type: 'SignInOpened', atMs, signIn: command.signIn }]
    case 'FinishSignIn':
      return finishSignIn(state, command)
    case 'StepUp':
    case 'StepUpByPasskey':
    case 'OfferAuthenticator':
    case 'ExchangeAuthenticator':
    case 'EndSession':
      return inSession(state, command)
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

type SessionCommand = Extract<ActiveAccountCommand, { readonly sessionId: string }>

/** What happens in one session, or to it. */
const inSession = (state: AccountRecord, command: SessionCommand): Decided => {
  const { atMs, sessionId } = command
  if (!liveSessions(state, atMs).some(({ id }) => id === sessionId))
    return command.type === 'EndSession' ? noSession : notSignedIn
  switch (command.type) {
    case 'StepUp': {
      const { step } = command
      if (step === null || step <= state.lastTotpStep) return wrongCode
      return [{ type: 'SteppedUp', atMs, sessionId, step }]
    }
    case 'StepUpByPasskey': {
      const { counter } = command
      const passkeyId = usedPasskey(state, command.passkeyId, counter)
      return passkeyId === null
        ? wrongCode
        : [{ type: 'SteppedUpByPasskey', atMs, sessionId, passkeyId, counter }]
    }
    case 'OfferAuthenticator': {
      const { totpSeed } = command
      const expiresAtMs = atMs + limits.newAuthenticatorMinutes * 60_000
      return [{ type: 'AuthenticatorOffered', atMs, sessionId, totpSeed, expiresAtMs }]
    }
    case 'ExchangeAuthenticator': {
      const { totpSeed, step } = command
      if (newAuthenticatorOf(state, sessionId, atMs)?.totpSeed !== totpSeed) return noAuthenticator
      // No code of this seed was shown before, whenever the old one showed its last.
      return step === null ? wrongCode : [{ type: 'AuthenticatorExchanged', atMs, sessionId, step }]
    }
    case 'EndSession':
      return [{ type: 'SessionEnded', atMs, sessionId }]
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
    const { counter } = factor
    const passkeyId = usedPasskey(state, factor.id, counter)
    if (passkeyId === null) return wrongCode
    return [{ type: 'SignedInByPasskey', atMs, passkeyId, counter, session }]
  }
  if (state.private?.recoveryHashes.includes(factor.hash) !== true) return wrongCode
  return [{ type: 'SignedIn', atMs, step: null, recoveryHash: factor.hash, session }]
}

/** Null where none is proved to have been used now. */
const usedPasskey = (state: AccountRecord, passkeyId: string | null, counter: number): string | null => {
  const used = state.private?.passkeys.find(({ id }) => id === passkeyId)
  return used !== undefined && isNewer(counter, used.counter) ? used.id : null
}

/** The one that the session was shown, as long as its first code may come. */
export const newAuthenticatorOf = (
  state: AccountRecord,
  sessionId: string,
  atMs: number,
): NewAuthenticator | null => {
  const shown = state.private?.newAuthenticator ?? null
  return shown !== null && shown.sessionId === sessionId && atMs < shown.expiresAtMs ? shown : null
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
