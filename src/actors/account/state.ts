import { referencesTo } from '../../domain/references.ts'

export type AccountRole = 'admin' | 'viewer' | 'operator'

/** A token is known by its SHA-256 alone; the token itself is 256 random bits in a browser. */
export type Session = {
  readonly id: string
  readonly tokenHash: string
  readonly openedAtMs: number
  readonly expiresAtMs: number
  /** When the second factor was last shown in this session. */
  readonly steppedUpAtMs: number
  readonly address: string | null
  readonly userAgent: string | null
}

/** Who is signed in, and in which session. */
export type SignedInAs = { readonly accountId: string; readonly sessionId: string }

export type NewSession = Pick<Session, 'id' | 'tokenHash' | 'address' | 'userAgent'>

/** A key pair whose private half never leaves the person's device. */
export type Passkey = {
  readonly id: string
  /** What browsers know it by, and its public key, both base64url. */
  readonly credentialId: string
  readonly publicKey: string
  /** How often it was used, as far as the device counts that. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly label: string
  readonly addedAtMs: number
  readonly lastUsedAtMs: number | null
}

/** The seed of another authenticator, shown to one session; its first code there makes it the authenticator. */
export type NewAuthenticator = {
  readonly sessionId: string
  /** Base32. */
  readonly totpSeed: string
  readonly expiresAtMs: number
}

/** Sealed in the journal, gone when the account is removed. */
export type Private = {
  readonly emailAddress: string | null
  readonly name: string | null
  /** Argon2id. */
  readonly passwordHash: string | null
  /** Base32. */
  readonly totpSeed: string | null
  readonly recoveryHashes: readonly string[]
  readonly sessions: readonly Session[]
  readonly passkeys: readonly Passkey[]
  /** Null or absent: none waits for its first code. */
  readonly newAuthenticator?: NewAuthenticator | null
}

/** Proof of a secret that a person was given, good until it is used, replaced or over. */
export type Pass = { readonly hash: string; readonly expiresAtMs: number }

export type AccountRecord = {
  readonly status: 'invited' | 'active'
  /** Null: an operator of the service. */
  readonly organisation: string | null
  readonly role: AccountRole
  readonly invitation: Pass | null
  /** Between the password and the second factor. */
  readonly signIn: Pass | null
  /** No code of this step or an earlier one is taken again. */
  readonly lastTotpStep: number
  readonly private: Private | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** A session together with its account. */
export type OwnSession = {
  readonly accountId: string
  readonly account: AccountRecord
  readonly session: Session
}

export type AccountState =
  | { readonly status: 'none' }
  | { readonly status: 'removed'; readonly organisation: string | null; readonly removedAtMs: number }
  | AccountRecord

/** What was shown as a second factor, as far as it was right: which step's code, which recovery code, which passkey. */
export type SecondFactor =
  | { readonly by: 'totp'; readonly step: number | null }
  | { readonly by: 'recovery_code'; readonly hash: string }
  | { readonly by: 'passkey'; readonly id: string | null; readonly counter: number }

type At = { readonly atMs: number }

export type AccountCommand =
  | (At & {
      readonly type: 'InviteAccount'
      readonly organisation: string | null
      readonly role: AccountRole
      readonly emailAddress: string
      readonly invitation: Pass
    })
  | (At & { readonly type: 'RenewInvitation'; readonly invitation: Pass })
  | (At & {
      readonly type: 'BeginEnrolment'
      readonly invitationHash: string
      readonly name: string
      readonly passwordHash: string
      readonly totpSeed: string
    })
  | (At & {
      readonly type: 'ConfirmEnrolment'
      readonly invitationHash: string
      readonly step: number | null
      readonly recoveryHashes: readonly string[]
      readonly session: NewSession
    })
  | (At & { readonly type: 'OpenSignIn'; readonly signIn: Pass })
  | (At & {
      readonly type: 'FinishSignIn'
      readonly signInHash: string
      readonly factor: SecondFactor
      readonly session: NewSession
    })
  | (At & { readonly type: 'StepUp'; readonly sessionId: string; readonly step: number | null })
  | (At & {
      readonly type: 'StepUpByPasskey'
      readonly sessionId: string
      readonly passkeyId: string | null
      readonly counter: number
    })
  | (At & { readonly type: 'OfferAuthenticator'; readonly sessionId: string; readonly totpSeed: string })
  /** The seed whose code was shown: another one may have been offered meanwhile. */
  | (At & {
      readonly type: 'ExchangeAuthenticator'
      readonly sessionId: string
      readonly totpSeed: string
      readonly step: number | null
    })
  | (At & { readonly type: 'EndSession'; readonly sessionId: string })
  | (At & { readonly type: 'EndSessions' })
  | (At & { readonly type: 'ChangePassword'; readonly passwordHash: string; readonly keepSessionId: string })
  | (At & { readonly type: 'ReplaceRecoveryCodes'; readonly recoveryHashes: readonly string[] })
  | (At & { readonly type: 'AddPasskey'; readonly passkey: Passkey })
  | (At & { readonly type: 'RemovePasskey'; readonly passkeyId: string })
  | (At & { readonly type: 'ChangeRole'; readonly role: AccountRole })
  | (At & { readonly type: 'RemoveAccount' })

type Opened = { readonly session: Session | null }

/** Null in a personal field is what remains of it when the account is removed. */
export type AccountEvent =
  | (At & {
      readonly type: 'AccountInvited'
      readonly organisation: string | null
      readonly role: AccountRole
      readonly emailAddress: string | null
      readonly invitation: Pass
    })
  | (At & { readonly type: 'InvitationRenewed'; readonly invitation: Pass })
  | (At & {
      readonly type: 'EnrolmentBegun'
      readonly name: string | null
      readonly passwordHash: string | null
      readonly totpSeed: string | null
    })
  | (At &
      Opened & {
        readonly type: 'EnrolmentConfirmed'
        readonly step: number
        readonly recoveryHashes: readonly string[] | null
      })
  | (At & { readonly type: 'SignInOpened'; readonly signIn: Pass })
  | (At &
      Opened & {
        readonly type: 'SignedIn'
        readonly step: number | null
        /** The hash of the recovery code that is used up by this. */
        readonly recoveryHash: string | null
      })
  | (At & { readonly type: 'SteppedUp'; readonly sessionId: string; readonly step: number })
  | (At & {
      readonly type: 'SteppedUpByPasskey'
      readonly sessionId: string
      readonly passkeyId: string
      readonly counter: number
    })
  | (At & {
      readonly type: 'AuthenticatorOffered'
      readonly sessionId: string
      readonly totpSeed: string | null
      readonly expiresAtMs: number
    })
  | (At & { readonly type: 'AuthenticatorExchanged'; readonly sessionId: string; readonly step: number })
  | (At & { readonly type: 'SessionEnded'; readonly sessionId: string })
  | (At & { readonly type: 'SessionsEnded' })
  | (At & {
      readonly type: 'PasswordChanged'
      readonly passwordHash: string | null
      readonly keepSessionId: string
    })
  | (At & { readonly type: 'RecoveryCodesReplaced'; readonly recoveryHashes: readonly string[] | null })
  | (At &
      Opened & { readonly type: 'SignedInByPasskey'; readonly passkeyId: string; readonly counter: number })
  | (At & { readonly type: 'PasskeyAdded'; readonly passkey: Passkey | null })
  | (At & { readonly type: 'PasskeyRemoved'; readonly passkeyId: string })
  | (At & { readonly type: 'RoleChanged'; readonly role: AccountRole })
  | (At & { readonly type: 'AccountRemoved' })

export type AccountTypes = {
  readonly state: AccountState
  readonly command: AccountCommand
  readonly event: AccountEvent
  /** Null once the account is removed. */
  readonly reply: AccountRecord | null
  readonly views: { readonly record: AccountRecord }
  readonly owed: never
}

export const account = referencesTo<AccountTypes>('acc')

/** A session that the account is known to have. */
export const sessionIn = (known: AccountRecord, sessionId: string): Session => {
  const session = known.private?.sessions.find(({ id }) => id === sessionId)
  if (session === undefined) throw new Error('what was proved in a session has left it open')
  return session
}
