import type { OldDecider, Decision } from '../../domain/decider.ts'
import { type Refused, refuse } from '../../domain/refused.ts'
import { limits } from '../../domain/limits.ts'
import { evolveAccount } from './evolve.ts'
import type {
  AccountCommand,
  AccountEvent,
  AccountRecord,
  AccountReply,
  AccountState,
  NewSession,
  Pass,
  Session,
} from './state.ts'

/**
 *   none ──invite──▶ invited ──enrolment confirmed──▶ active ──remove──▶ removed
 *
 * A password alone opens nothing: it gives a pass, and only the second factor turns the pass into a session.
 */
export const accountDecider: OldDecider<AccountState, AccountCommand, AccountEvent, AccountReply> = {
  initialState: { status: 'none' },
  decide,
  repeat: (state) => {
    if (!isKnown(state)) return noAccount().reply
    return { account: state, session: state.private?.sessions.at(-1) ?? null }
  },
  evolve: evolveAccount,
  owed: () => [],
  timers: () => [],
}

type Decided = Decision<AccountEvent, AccountReply>
type Of<Type extends AccountCommand['type']> = Extract<AccountCommand, { readonly type: Type }>

/** What others say of an account; everything else is said by whoever is signed in to it. */
const ABOUT_ACCOUNTS = [
  'InviteAccount',
  'ReadAccount',
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

const no = (refused: Refused): Decided => ({ events: [], reply: refused })
const noAccount = (): Decided => no(refuse('not_found', 'There is no such account.'))
const notSignedIn = (): Decided => no(refuse('unauthorized', 'The session is over; sign in again.'))
const wrongCode = (): Decided => no(refuse('unauthorized', 'The code is wrong, or was used before.'))
const noInvitation = (): Decided =>
  no(refuse('not_found', 'The invitation is not valid any more; ask for a new one.'))

function decide(state: AccountState, command: AccountCommand): Decided {
  if (command.type === 'InviteAccount') {
    if (state.status !== 'none') return isKnown(state) ? told(state) : noAccount()
    const { type: _, ...invited } = command
    return moved(state, { type: 'AccountInvited', ...invited })
  }
  if (!isKnown(state)) return isAboutAccount(command) ? noAccount() : notSignedIn()
  switch (command.type) {
    case 'ReadAccount':
      return told(state)
    case 'ChangeRole': {
      const { atMs, role } = command
      return state.role === role ? told(state) : moved(state, { type: 'RoleChanged', atMs, role })
    }
    case 'RemoveAccount':
      return {
        events: [{ type: 'AccountRemoved', atMs: command.atMs }],
        reply: { account: state, session: null },
      }
    case 'RenewInvitation': {
      if (state.status !== 'invited')
        return no(refuse('already_member', 'Somebody with this address has an account already.'))
      const { atMs, invitation } = command
      return moved(state, { type: 'InvitationRenewed', atMs, invitation })
    }
    case 'BeginEnrolment':
    case 'ConfirmEnrolment':
      return enrol(state, command)
    default:
      return state.status === 'active' ? ofActive(state, command) : notSignedIn()
  }
}

const enrol = (state: AccountRecord, command: Of<'BeginEnrolment' | 'ConfirmEnrolment'>): Decided => {
  if (state.status !== 'invited' || !isGood(state.invitation, command.invitationHash, command.atMs))
    return noInvitation()
  const { atMs } = command
  if (command.type === 'BeginEnrolment') {
    const { name, passwordHash, totpSeed } = command
    return moved(state, { type: 'EnrolmentBegun', atMs, name, passwordHash, totpSeed })
  }
  if ((state.private?.totpSeed ?? null) === null) return noInvitation()
  const { step, recoveryHashes } = command
  if (step === null || step <= state.lastTotpStep) return wrongCode()
  const session = sessionOf(state, command.session, atMs)
  return opened(state, { type: 'EnrolmentConfirmed', atMs, step, recoveryHashes, session }, session)
}

type OfActive = Exclude<AccountCommand, Of<(typeof ABOUT_ACCOUNTS)[number]>>

const ofActive = (state: AccountRecord, command: OfActive): Decided => {
  const { atMs } = command
  switch (command.type) {
    case 'OpenSignIn':
      return moved(state, { type: 'SignInOpened', atMs, signIn: command.signIn })
    case 'FinishSignIn':
      return finishSignIn(state, command)
    case 'ReadSession': {
      const found = live(state, atMs).find(({ tokenHash }) => tokenHash === command.tokenHash)
      return found === undefined ? notSignedIn() : told(state, found)
    }
    case 'StepUp': {
      const { sessionId, step } = command
      const found = live(state, atMs).find(({ id }) => id === sessionId)
      if (found === undefined) return notSignedIn()
      if (step === null || step <= state.lastTotpStep) return wrongCode()
      return opened(state, { type: 'SteppedUp', atMs, sessionId, step }, { ...found, steppedUpAtMs: atMs })
    }
    case 'EndSession': {
      const { sessionId } = command
      if (!live(state, atMs).some(({ id }) => id === sessionId))
        return no(refuse('not_found', 'There is no session with this id.'))
      return moved(state, { type: 'SessionEnded', atMs, sessionId })
    }
    case 'EndSessions':
      return moved(state, { type: 'SessionsEnded', atMs })
    case 'ChangePassword': {
      const { passwordHash, keepSessionId } = command
      return moved(state, { type: 'PasswordChanged', atMs, passwordHash, keepSessionId })
    }
    case 'AddPasskey': {
      const passkeys = state.private?.passkeys ?? []
      if (passkeys.some(({ id }) => id === command.passkey.id)) return told(state)
      if (passkeys.length >= limits.passkeysMax)
        return no(refuse('invalid_request', `An account has at most ${limits.passkeysMax} passkeys.`))
      return moved(state, { type: 'PasskeyAdded', atMs, passkey: command.passkey })
    }
    case 'RemovePasskey': {
      const { passkeyId } = command
      if (state.private?.passkeys.some(({ id }) => id === passkeyId) !== true)
        return no(refuse('not_found', 'There is no passkey with this id.'))
      return moved(state, { type: 'PasskeyRemoved', atMs, passkeyId })
    }
    case 'ReplaceRecoveryCodes':
      return moved(state, { type: 'RecoveryCodesReplaced', atMs, recoveryHashes: command.recoveryHashes })
  }
}

const finishSignIn = (state: AccountRecord, command: Of<'FinishSignIn'>): Decided => {
  const { atMs, signInHash, factor } = command
  if (!isGood(state.signIn, signInHash, atMs))
    return no(refuse('unauthorized', 'The sign-in took too long; begin again.'))
  const session = sessionOf(state, command.session, atMs)
  if (factor.by === 'totp') {
    const { step } = factor
    if (step === null || step <= state.lastTotpStep) return wrongCode()
    return opened(state, { type: 'SignedIn', atMs, step, recoveryHash: null, session }, session)
  }
  if (factor.by === 'passkey') {
    const { id: passkeyId, counter } = factor
    const used = state.private?.passkeys.find(({ id }) => id === passkeyId)
    if (passkeyId === null || used === undefined || !isNewer(counter, used.counter)) return wrongCode()
    return opened(state, { type: 'SignedInByPasskey', atMs, passkeyId, counter, session }, session)
  }
  if (state.private?.recoveryHashes.includes(factor.hash) !== true) return wrongCode()
  return opened(state, { type: 'SignedIn', atMs, step: null, recoveryHash: factor.hash, session }, session)
}

/** A device that counts must count on; one that went back was copied. Many do not count at all. */
const isNewer = (counter: number, known: number): boolean => counter > known || (counter === 0 && known === 0)

const isGood = (pass: Pass | null, hash: string, atMs: number): boolean =>
  pass !== null && pass.hash === hash && atMs < pass.expiresAtMs

const live = (state: AccountRecord, atMs: number): readonly Session[] =>
  (state.private?.sessions ?? []).filter(({ expiresAtMs }) => atMs < expiresAtMs)

/** Its end is fixed when it begins: using it does not put it off. */
const sessionOf = ({ role }: AccountRecord, session: NewSession, atMs: number): Session => {
  const hours = role === 'operator' ? limits.operatorSessionHours : limits.memberSessionHours
  return { ...session, openedAtMs: atMs, expiresAtMs: atMs + hours * 3_600_000, steppedUpAtMs: atMs }
}

const told = (account: AccountRecord, session: Session | null = null): Decided => ({
  events: [],
  reply: { account, session },
})

const opened = (state: AccountState, event: AccountEvent, session: Session | null): Decided => ({
  events: [event],
  reply: { account: evolveAccount(state, event) as AccountRecord, session },
})

const moved = (state: AccountState, event: AccountEvent): Decided => opened(state, event, null)
