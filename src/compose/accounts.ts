import type { Directory } from '../actors/directory-port.ts'
import type { Refused } from '../domain/refused.ts'
import type { Authenticate, Callers } from '../http/caller.ts'
import { clientAddressBehind } from '../http/client-address.ts'
import { type ConsoleRules, withConsoleRules } from '../http/console-rules.ts'
import { ownOriginOnly } from '../http/own-origin.ts'
import type { Route } from '../http/route.ts'
import { auditLogRoutes } from '../http/routes/console/audit-log.ts'
import type { AccountsApi } from '../http/routes/console/accounts-api.ts'
import { memberRoutes } from '../http/routes/console/members.ts'
import { ownAccountRoutes } from '../http/routes/console/own-account.ts'
import { enrolmentRoutes } from '../http/routes/console/enrol.ts'
import { passkeyRoutes } from '../http/routes/console/passkeys.ts'
import { sessionRoutes } from '../http/routes/console/sessions.ts'
import { signInRoutes } from '../http/routes/console/sign-in.ts'
import type { RequestHead } from '../http/server.ts'
import { authenticateCallers } from '../http/session-caller.ts'
import type { AccountPorts, Origin } from '../use-cases/accounts/account-ports.ts'
import { readAccount } from '../use-cases/accounts/ask-account.ts'
import { audited, readAuditEntry } from '../use-cases/accounts/audit.ts'
import { beginEnrolment, confirmEnrolment } from '../use-cases/accounts/enrol.ts'
import {
  changeRole,
  inviteAccount,
  listMembers,
  readMember,
  removeMember,
} from '../use-cases/accounts/members.ts'
import * as ownAccount from '../use-cases/accounts/own-account.ts'
import { addPasskey, passkeyOptions, removePasskey } from '../use-cases/accounts/passkeys.ts'
import { Passwords } from '../use-cases/accounts/passwords.ts'
import { beginSignIn, finishSignIn } from '../use-cases/accounts/sign-in.ts'
import type { TenantStanding } from '../use-cases/tenant-standing.ts'
import type { UseCasePorts } from '../use-cases/use-case-ports.ts'

export type AccountParts = {
  readonly ports: AccountPorts
  readonly directory: Directory
  readonly standing: TenantStanding
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
    ],
    rules: (route) => withConsoleRules(route, rules),
    authenticate: (bearers) =>
      authenticateCallers(
        bearers,
        (token) => callerOf(ports, parts.standing, token),
        ownOriginOnly(publicUrl),
      ),
  }
}

const callerOf = async (
  ports: AccountPorts,
  standing: TenantStanding,
  token: string,
): Promise<Callers['member'] | Callers['operator'] | Refused | null> => {
  const found = await ownAccount.sessionOf(ports, token)
  if (found === null) return null
  const { accountId, account } = found
  const session = { id: found.sessionId, steppedUpAtMs: found.session.steppedUpAtMs }
  if (account.organisation === null) return { kind: 'operator', operatorId: accountId, session }
  const refused = await standing.refusal(account.organisation)
  if (refused !== null) return refused
  if (account.role === 'operator') throw new Error('an operator belongs to no organisation')
  return { kind: 'member', tenantId: account.organisation, memberId: accountId, role: account.role, session }
}

const originBehind = (proxies: readonly string[]): ((head: RequestHead) => Origin) => {
  const addressOf = clientAddressBehind(proxies)
  return (head) => ({
    address: addressOf(head),
    userAgent: head.headers.get('user-agent')?.slice(0, USER_AGENT_CHARACTERS_MAX) ?? null,
  })
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
  endSession: (who) => ownAccount.endSession(ports, who),
  endSessions: (accountId) => ownAccount.endSessions(ports, accountId),
  changePassword: (who, order) => ownAccount.changePassword(ports, who, order),
  replaceRecoveryCodes: (accountId) => ownAccount.replaceRecoveryCodes(ports, accountId),
  members: (realm) => listMembers(ports, realm),
  member: (realm, id) => readMember(ports, realm, id),
  invite: (realm, emailAddress, role) => inviteAccount(ports, realm, emailAddress, role),
  changeRole: (realm, id, role) => changeRole(ports, realm, id, role),
  remove: (realm, id) => removeMember(ports, realm, id),
  auditEntry: (id) => readAuditEntry(ports, id),
})
