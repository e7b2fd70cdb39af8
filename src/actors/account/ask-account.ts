import { isRefused, type Refused } from '../../domain/decider.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { rosterOf, type Realm, type RosterEntry } from '../roster/rules.ts'
import { tenant } from '../tenant/rules.ts'
import { noSuchAccount, notSignedIn } from './rules.ts'
import { newAccountToken } from './secrets.ts'
import {
  account,
  type AccountCommand,
  type AccountRecord,
  type NewSession,
  type OwnSession,
  type SignedInAs,
} from './state.ts'

/** What the commands about people need. */
export type AccountPorts = Pick<
  ApiPorts,
  'actors' | 'runtime' | 'vault' | 'passwords' | 'publicUrl' | 'tokenTags'
>

/** What attempts are counted with, beside that. */
export type SignInPorts = AccountPorts & Pick<ApiPorts, 'signInCounts'>

/** Where a request came from, for the list of sessions and for the lock. */
export type Origin = {
  readonly address: string
  readonly userAgent: string | null
  /** As they were sent; one may name a device that is known. */
  readonly cookies: string
}

export const isRealm = (realm: Realm): boolean => realm === null || tenant.find(realm) !== null

export const askAccount = async (
  { actors, runtime }: Pick<AccountPorts, 'actors' | 'runtime'>,
  id: string,
  command: AccountCommand,
  commandId: string = runtime.newId(),
): Promise<AccountRecord | Refused> =>
  (await actors.ask(account.ref(id), command, { commandId, tenant: null })) ?? noSuchAccount

/** The account and the session of a person who is signed in. */
export const ownSession = async (
  { actors }: Pick<AccountPorts, 'actors'>,
  { accountId, sessionId }: SignedInAs,
): Promise<OwnSession | Refused> => {
  const known = await actors.read(account.ref(accountId))
  if (isRefused(known)) return notSignedIn
  const session = known.private?.sessions.find(({ id }) => id === sessionId)
  return session === undefined ? notSignedIn : { accountId, account: known, session }
}

export const readRoster = async (
  { actors }: Pick<AccountPorts, 'actors'>,
  realm: Realm,
): Promise<readonly RosterEntry[]> => {
  const entries = await actors.read(rosterOf(realm))
  return isRefused(entries) ? [] : entries
}

/** The token is in this answer and nowhere else. */
export type SignedIn = OwnSession & { readonly token: string }

/** A session that a command is to open, and what is answered once it is open. */
export const newSessionOf = (
  { runtime, tokenTags }: Pick<AccountPorts, 'runtime' | 'tokenTags'>,
  accountId: string,
  { address, userAgent }: Origin,
) => {
  const { token, hash: tokenHash } = newAccountToken(tokenTags, 'session', accountId)
  const session: NewSession = { address, userAgent, id: runtime.newId(), tokenHash }
  const opened = (record: AccountRecord | null): SignedIn => {
    const found = record?.private?.sessions.find(({ id }) => id === session.id)
    if (!record || found === undefined) throw new Error('a sign-in opens a session')
    return { accountId, account: record, session: found, token }
  }
  return { session, opened }
}
