import { isRefused, type Refused } from '../../domain/decider.ts'
import type { Authenticate, Callers } from './caller.ts'
import type { OriginCheck } from '../front-door/own-origin.ts'
import { problem } from '../route/problem.ts'
import type { RequestHead } from '../server/server.ts'

/** `__Host-`: browsers take it over TLS (or from this machine) only, for this host only, and send it nowhere else. */
export const SESSION_COOKIE = '__Host-vouchsafe'

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'
const TOKEN = new RegExp(`(?:^|;) *${SESSION_COOKIE}=([A-Za-z0-9_.-]{1,200}) *(?:;|$)`)

type Person = Callers['member'] | Callers['operator']

type Suspended = Refused & { readonly owner: Person }

/**
 * Who is signed in with this token; null when the session is unknown or over; refused while the organisation is
 * suspended.
 */
export type SessionOwner = (token: string) => Promise<Person | Suspended | null>

/**
 * The member that an operator counts as on an organisation's routes; null unless the operator's session acts for it
 * now.
 */
export type ActingAs = (operator: Callers['operator']) => Promise<Callers['member'] | null>

/** A session cookie identifies requests without `Authorization`; all others are left to `bearers`. */
export const authenticateCallers = (
  bearers: Authenticate,
  ownerOf: SessionOwner,
  checkOrigin: OriginCheck,
  actingAs: ActingAs,
): Authenticate => {
  const bySession = authenticateSessions(ownerOf, checkOrigin, actingAs)
  return (head, served) => {
    const isSession = !head.headers.has('authorization') && tokenOf(head) !== null
    return (isSession ? bySession : bearers)(head, served)
  }
}

const authenticateSessions =
  (ownerOf: SessionOwner, checkOrigin: OriginCheck, actingAs: ActingAs): Authenticate =>
  async (head, served) => {
    const foreign = checkOrigin(head)
    if (foreign !== null) return foreign
    const caller = await ownerOf(tokenOf(head) ?? '')
    if (caller === null)
      return problem('unauthorized', 'The session is over; sign in again.', {
        'WWW-Authenticate': 'Bearer',
        'Set-Cookie': endedCookie,
      })
    if (isRefused(caller)) return { ...problem('forbidden', caller.reason), whose: caller.owner }
    if (served.includes(caller.kind)) return caller
    const acting = caller.kind === 'operator' && served.includes('member') ? await actingAs(caller) : null
    if (acting !== null) return acting
    const who = caller.kind === 'member' ? 'A member of an organisation' : 'An operator'
    return { ...problem('forbidden', `${who} may not do this.`), whose: caller }
  }

const tokenOf = ({ headers }: RequestHead): string | null =>
  TOKEN.exec(headers.get('cookie') ?? '')?.[1] ?? null

export const sessionCookie = (token: string, lifeMs: number): string =>
  `${SESSION_COOKIE}=${token}; Max-Age=${Math.floor(lifeMs / 1_000)}; ${ATTRIBUTES}`

export const endedCookie = `${SESSION_COOKIE}=; Max-Age=0; ${ATTRIBUTES}`
