import type { Directory } from '../../ports/directory.ts'
import { isRefused, type Refused } from '../../domain/refused.ts'
import type { Authenticate, Callers } from '../../http/callers/caller.ts'
import { clientAddressBehind } from '../../http/server/client-address.ts'
import { type ConsoleRules, withConsoleRules } from './console-rules.ts'
import { ownOriginOnly } from '../../http/front-door/own-origin.ts'
import type { Route } from '../../http/route/route.ts'
import { auditLogRoutes } from '../audit-entry/routes.ts'
import type { AccountsApi } from './accounts-api.ts'
import { memberRoutes } from './members-routes.ts'
import { ownAccountRoutes } from './own-account-routes.ts'
import { enrolmentRoutes } from './enrol-routes.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { actingRoutes } from '../acting/routes.ts'
import { signInRoutes } from './sign-in-routes.ts'
import type { RequestHead } from '../../http/server/server.ts'
import { authenticateCallers } from '../../http/callers/session-caller.ts'
import {
  actingNow,
  beginActing,
  endActing,
  endingActs,
  openReason,
  readActing,
  sealReason,
} from '../acting/act-for.ts'
import type { AccountPorts, Origin, Realm } from './account-ports.ts'
import { isAccountId } from './secrets.ts'
import { readAccount } from './ask-account.ts'
import { audited, readAuditEntry } from '../audit-entry/record-entry.ts'
import { beginEnrolment, confirmEnrolment } from './enrol.ts'
import {
  changeRole,
  inviteAccount,
  listMembers,
  newInvitationId,
  readInvited,
  readMember,
  removeMember,
} from './members.ts'
import * as ownAccount from './own-account.ts'
import { addPasskey, passkeyOptions, removePasskey } from './passkeys.ts'
import { Passwords } from './passwords.ts'
import { beginSignIn, finishSignIn } from './sign-in.ts'
import { readTenant } from '../tenant/read.ts'
import type { ActiveTenants } from '../tenant/active-tenants.ts'
import type { UseCasePorts } from '../command-ports.ts'

export type AccountParts = {
  readonly ports: AccountPorts
  readonly directory: Directory
  readonly activeTenants: Pick<ActiveTenants, 'refusal'>
  readonly publicUrl: () => string
  readonly trustedProxies: readonly string[]
}

export type Accounts = {
  readonly routes: readonly Route[]
  /** What holds for people on every route of theirs, those of others included. */
  readonly rules: (route: Route) => Route
  readonly authenticate: (bearers: Authenticate) => Authenticate
}

const USER_AGENT_CHARACTERS_MAX = 200

type PortParts = {
  readonly useCases: UseCasePorts
  readonly vault: AccountPorts['vault']
  readonly publicUrl: () => string
}

export const accountPorts = ({ useCases, vault, publicUrl }: PortParts): AccountPorts => ({
  actors: useCases.actors,
  runtime: useCases.runtime,
  askTimeoutMs: useCases.askTimeoutMs,
  vault,
  passwords: new Passwords(),
  consoleUrl: () => `${publicUrl()}/console`,
})

/** People: their routes, who they are in a request, and what holds for them everywhere. */
export const composeAccounts = (parts: AccountParts): Accounts => {
  const { ports, publicUrl } = parts
  const api = accountsApi(parts)
  const rules: ConsoleRules = {
    now: () => ports.runtime.now(),
    sealReason: (organisation, reason) => sealReason(ports, organisation, reason),
    audited: (facts, run, endOf) => audited(ports, facts, run, endOf),
  }
  return {
    routes: [
      ...enrolmentRoutes(api),
      ...signInRoutes(api),
      ...sessionRoutes(api),
      ...ownAccountRoutes(api),
      ...passkeyRoutes(api),
      ...memberRoutes(api),
      ...auditLogRoutes(api),
      ...actingRoutes(api),
    ],
    rules: (route) => withConsoleRules(route, rules),
    authenticate: (bearers) =>
      authenticateCallers(
        bearers,
        (token) => callerOf(ports, parts.activeTenants, token),
        ownOriginOnly(publicUrl),
        (operator) => actingAs(ports, operator),
      ),
  }
}

const callerOf = async (
  ports: AccountPorts,
  activeTenants: Pick<ActiveTenants, 'refusal'>,
  token: string,
): Promise<Callers['member'] | Callers['operator'] | Refused | null> => {
  const found = await ownAccount.sessionOf(ports, token)
  if (found === null) return null
  const { accountId, account } = found
  const session = { id: found.sessionId, steppedUpAtMs: found.session.steppedUpAtMs }
  if (account.organisation === null) return { kind: 'operator', operatorId: accountId, session }
  const refused = await activeTenants.refusal(account.organisation)
  if (refused !== null) return refused
  if (account.role === 'operator') throw new Error('an operator belongs to no organisation')
  return { kind: 'member', tenantId: account.organisation, memberId: accountId, role: account.role, session }
}

/** An operator, while the session acts for an organisation. It may be suspended: that may be why somebody looks. */
const actingAs = async (
  ports: AccountPorts,
  { operatorId, session }: Callers['operator'],
): Promise<Callers['member'] | null> => {
  const period = session === undefined ? null : await actingNow(ports, session.id)
  if (session === undefined || period?.operatorId !== operatorId) return null
  const role = period.mayChange ? 'admin' : 'viewer'
  const { organisation: tenantId } = period
  return { kind: 'member', tenantId, memberId: operatorId, role, session, isActing: true }
}

const originBehind = (proxies: readonly string[]): ((head: RequestHead) => Origin) => {
  const addressOf = clientAddressBehind(proxies)
  return (head) => ({
    address: addressOf(head),
    userAgent: head.headers.get('user-agent')?.slice(0, USER_AGENT_CHARACTERS_MAX) ?? null,
  })
}

/** An operator who is removed acts for nobody any more; members never do. */
const removePerson = async (
  ports: AccountPorts,
  realm: Realm,
  id: string,
): ReturnType<AccountsApi['remove']> => {
  const remove = () => removeMember(ports, realm, id)
  const isOperator = realm === null && !isRefused(await readMember(ports, realm, id))
  return isOperator ? endingActs(ports, id, remove) : remove()
}

const accountsApi = ({ ports, directory, publicUrl, trustedProxies }: AccountParts): AccountsApi => ({
  checkOrigin: ownOriginOnly(publicUrl),
  originOf: originBehind(trustedProxies),
  now: () => ports.runtime.now(),
  directory,
  beginEnrolment: (order) => beginEnrolment(ports, order),
  confirmEnrolment: (order) => confirmEnrolment(ports, order),
  beginSignIn: (order) => beginSignIn(ports, order),
  finishSignIn: (order) => finishSignIn(ports, order),
  passkeyOptions: (who) => passkeyOptions(ports, who),
  addPasskey: (who, order) => addPasskey(ports, who, order),
  removePasskey: (accountId, id) => removePasskey(ports, accountId, id),
  account: async (id) => {
    const account = await readAccount(ports, id)
    return account === null ? null : { id, account }
  },
  sessions: (accountId) => ownAccount.ownSessions(ports, accountId),
  stepUp: (who, code, from) => ownAccount.stepUp(ports, who, code, from),
  endSession: (who) => endingActs(ports, who.accountId, () => ownAccount.endSession(ports, who)),
  endSessions: (accountId) => endingActs(ports, accountId, () => ownAccount.endSessions(ports, accountId)),
  changePassword: (who, order) =>
    endingActs(ports, who.accountId, () => ownAccount.changePassword(ports, who, order)),
  newOrderId: () => ports.runtime.newId(),
  replaceRecoveryCodes: (accountId, order) => ownAccount.replaceRecoveryCodes(ports, accountId, order),
  members: (realm) => listMembers(ports, realm),
  member: (realm, id) => readMember(ports, realm, id),
  newInvitationId: (realm) => newInvitationId(realm, ports.runtime),
  invite: (realm, { id, emailAddress, role }) => inviteAccount(ports, realm, emailAddress, role, id),
  invited: (realm, id, emailAddress) => readInvited(ports, realm, id, emailAddress),
  isAccountId,
  changeRole: (realm, id, role) => changeRole(ports, realm, id, role),
  remove: (realm, id) => removePerson(ports, realm, id),
  auditEntry: async (id) => {
    const entry = await readAuditEntry(ports, id)
    if (entry === null) return null
    const { organisation, sealedReason } = entry
    const isTold = organisation !== null && sealedReason !== undefined
    return { ...entry, reason: isTold ? await openReason(ports, organisation, sealedReason) : null }
  },
  hasOrganisation: async (id) => !isRefused(await readTenant(ports, id)),
  acting: (sessionId) => readActing(ports, sessionId),
  beginActing: (who, order) => beginActing(ports, who, order),
  endActing: (sessionId) => endActing(ports, sessionId),
})
