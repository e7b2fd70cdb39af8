import { problem } from '../../../src/http/route/problem.ts'
import type { AccountsApi } from '../../../src/actors/account/accounts-api.ts'
import { listing } from '../../compose/service-on-memory.ts'

export const account = {
  status: 'active',
  organisation: 'ten_1',
  role: 'admin',
  invitation: null,
  signIn: null,
  lastTotpStep: 0,
  private: null,
  createdAtMs: 0,
  updatedAtMs: 0,
} as const

/** What is asked is answered with one value, whatever it is; pages of others are marked by a header. */
export const accountsStub = (answer: unknown): AccountsApi => {
  const say = () => Promise.resolve(answer as never)
  return {
    checkOrigin: ({ headers }) => (headers.has('foreign') ? problem('forbidden', 'Elsewhere.') : null),
    originOf: () => ({ address: '192.0.2.1', userAgent: null }),
    now: () => 0,
    directory: listing([]),
    beginEnrolment: say,
    confirmEnrolment: say,
    beginSignIn: say,
    finishSignIn: say,
    passkeyOptions: say,
    addPasskey: say,
    removePasskey: say,
    account: say,
    sessions: say,
    stepUp: say,
    endSession: say,
    endSessions: say,
    changePassword: say,
    newOrderId: () => 'order',
    replaceRecoveryCodes: say,
    members: say,
    member: say,
    newInvitationId: () => 'acc_00invitation',
    invite: say,
    invited: say,
    isAccountId: () => true,
    changeRole: say,
    remove: say,
    auditEntry: say,
    hasOrganisation: say,
    acting: say,
    beginActing: say,
    endActing: say,
  }
}
