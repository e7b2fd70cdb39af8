import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { AccountRole, Passkey, Session } from './state.ts'
import type { Refused } from '../../domain/refused.ts'
import type { Directory } from '../../ports/directory.ts'
import type { Acting, ActForOrder } from '../acting/act-for.ts'
import type { Origin, Realm } from './account-ports.ts'
import type { Locked } from '../sign-in-lockout/commands.ts'
import type { Enrolled, Enrolment, SignedIn } from './enrol.ts'
import type { Invited, Member } from './members.ts'
import type { SignedInAs } from './own-account.ts'
import type { PasskeyOptions } from './passkeys.ts'
import type { ShownFactor, SignInBegun, SignInOrder } from './sign-in.ts'
import type { ShownAuditEntry } from './record.ts'
import type { OriginCheck } from '../../http/front-door/own-origin.ts'
import type { RequestHead } from '../../http/server/server.ts'

type Refusable<Value> = Promise<Value | Refused>
type Lockable<Value> = Promise<Value | Locked | Refused>

export type InvitationOrder = {
  readonly id: string
  readonly emailAddress: string
  readonly role: AccountRole
}

/** What the routes of the console call; composed outside. */
export type AccountsApi = {
  readonly checkOrigin: OriginCheck
  readonly originOf: (head: RequestHead) => Origin
  readonly now: () => number
  readonly directory: Directory
  readonly beginEnrolment: (order: {
    readonly invitation: string
    readonly name: string
    readonly password: string
  }) => Refusable<Enrolment>
  readonly confirmEnrolment: (order: {
    readonly invitation: string
    readonly code: string
    readonly from: Origin
  }) => Refusable<Enrolled>
  readonly beginSignIn: (order: SignInOrder) => Lockable<SignInBegun>
  readonly finishSignIn: (
    order: ShownFactor & { readonly signIn: string; readonly from: Origin },
  ) => Lockable<SignedIn>
  readonly passkeyOptions: (who: SignedInAs) => Refusable<PasskeyOptions>
  readonly addPasskey: (
    who: SignedInAs,
    order: { readonly label: string; readonly response: RegistrationResponseJSON },
  ) => Refusable<Passkey>
  readonly removePasskey: (accountId: string, passkeyId: string) => Refusable<null>
  readonly account: (accountId: string) => Promise<Member | null>
  readonly sessions: (accountId: string) => Promise<readonly Session[]>
  readonly stepUp: (who: SignedInAs, code: string, from: Origin) => Lockable<Session>
  readonly endSession: (who: SignedInAs) => Refusable<null>
  readonly endSessions: (accountId: string) => Refusable<null>
  readonly changePassword: (
    who: SignedInAs,
    order: { readonly currentPassword: string; readonly newPassword: string; readonly from: Origin },
  ) => Lockable<null>
  readonly newOrderId: () => string
  readonly replaceRecoveryCodes: (
    accountId: string,
    order: string,
  ) => Refusable<{ readonly codes: readonly string[] | null }>
  readonly members: (realm: Realm) => Promise<readonly Member[]>
  readonly member: (realm: Realm, id: string) => Refusable<Member>
  readonly newInvitationId: (realm: Realm) => string
  readonly invite: (realm: Realm, invitation: InvitationOrder) => Refusable<Invited>
  readonly invited: (realm: Realm, id: string, emailAddress: string) => Promise<Member | null>
  readonly isAccountId: (text: string) => boolean
  readonly changeRole: (realm: Realm, id: string, role: AccountRole) => Refusable<Member>
  readonly remove: (realm: Realm, id: string) => Refusable<Member>
  readonly auditEntry: (id: string) => Promise<ShownAuditEntry | null>
  readonly hasOrganisation: (id: string) => Promise<boolean>
  readonly acting: (sessionId: string) => Promise<Acting | null>
  readonly beginActing: (who: SignedInAs, order: ActForOrder) => Refusable<Acting>
  readonly endActing: (sessionId: string) => Promise<void>
}
