import { chain, type Eventually } from '../../domain/eventually.ts'
import { isRefused, type Refused } from '../../domain/decider.ts'
import type { Authenticate, Caller, CallerKind, Callers } from './caller.ts'
import { problem } from '../route/problem.ts'

type Owned = Omit<Callers['api_key'], 'kind'>
type Suspended = Refused & { readonly owned: Owned }
type Owner = Owned | Suspended | null

/** Who owns a credential; null when it is unknown or revoked; refused while its organisation is suspended. */
export type CredentialOwners = {
  readonly apiKey: (key: string) => Eventually<Owner>
  readonly walletToken: (token: string) => Eventually<Omit<Callers['wallet_token'], 'kind'> | null>
}

const BEARER = /^Bearer +(\S+) *$/i
const KEY_PREFIX = 'Bearer svc_sk_'

/** Reads `Authorization: Bearer svc_…`. An answer never says more precisely what is wrong with a credential. */
export const authenticateBearers =
  (owners: CredentialOwners): Authenticate =>
  ({ headers }, served) => {
    const credential = bearerOf(headers.get('authorization'))
    const caller = credential === undefined ? null : callerOf(owners, credential)
    return chain(caller, (known) => judged(known, served))
  }

/** The first case is how API keys are nearly always sent, and costs no regular expression. */
const bearerOf = (text = ''): string | undefined =>
  text.startsWith(KEY_PREFIX) && !text.includes(' ', KEY_PREFIX.length)
    ? text.slice('Bearer '.length)
    : BEARER.exec(text)?.[1]

const judged = (caller: Found, served: readonly CallerKind[]) => {
  if (caller === null) return problem('unauthorized', wanted(served), { 'WWW-Authenticate': 'Bearer' })
  if (isRefused(caller))
    return { ...problem('forbidden', caller.reason), whose: { kind: 'api_key', ...caller.owned } as const }
  if (served.includes(caller.kind)) return caller
  const who = caller.kind === 'api_key' ? 'An API key' : 'A wallet token'
  return { ...problem('forbidden', `${who} may not do this.`), whose: caller }
}

type Found = Caller | Suspended | null

const callerOf = (owners: CredentialOwners, credential: string): Eventually<Found> => {
  if (credential.startsWith('svc_wt_')) {
    return chain(owners.walletToken(credential), (owner) =>
      owner === null ? null : { kind: 'wallet_token', ...owner },
    )
  }
  return chain(owners.apiKey(credential), (owner) =>
    owner === null || isRefused(owner) ? owner : { kind: 'api_key', ...owner },
  )
}

const wanted = (served: readonly CallerKind[]): string => {
  const bearers = [
    ...(served.includes('api_key') ? ['API key'] : []),
    ...(served.includes('wallet_token') ? ['wallet token'] : []),
  ]
  if (bearers.length === 0) return 'This is for the console: sign in first.'
  return `A valid ${bearers.join(' or ')} must be sent as Authorization: Bearer svc_….`
}
