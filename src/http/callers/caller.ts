import type { Eventually } from '../../domain/eventually.ts'
import type { Problem } from '../route/problem.ts'
import type { RequestHead } from '../server/server.ts'

/**
 * The kinds of callers, and what a handler learns about each. A route names the kinds it serves; there is no default.
 */
export type Callers = {
  nobody: { readonly kind: 'nobody' }
  api_key: {
    readonly kind: 'api_key'
    readonly tenantId: string
    readonly keyId: string
    /** Null or absent: the rate of every key. */
    readonly ratePerMinute?: number | null
    /** Of all keys of the organisation together; null or absent: none beside those of its keys. */
    readonly tenantRatePerMinute?: number | null
  }
  wallet_token: { readonly kind: 'wallet_token'; readonly tenantId: string; readonly walletId: string }
  member: {
    readonly kind: 'member'
    readonly tenantId: string
    readonly memberId: string
    readonly role: 'admin' | 'viewer'
    readonly session?: CallerSession
    /** An operator of the service, who acts for the organisation; `memberId` is the operator's account. */
    readonly isActing?: true
    readonly isLocal?: true
  }
  operator: {
    readonly kind: 'operator'
    readonly operatorId: string
    readonly session?: CallerSession
    /** The command line of this machine, which is asked for no second factor and has no account. */
    readonly isLocal?: true
  }
}

/** The console session of the caller. Without one, nothing is shown that needs a fresh second factor. */
export type CallerSession = { readonly id: string; readonly steppedUpAtMs: number }

export type CallerKind = keyof Callers
export type Caller = Callers[CallerKind]

/** The organisation that the caller acts for. */
export const tenantOf = (caller: Caller): string | null => ('tenantId' in caller ? caller.tenantId : null)

/** The callers that act for an organisation: its backend, and its members in the console. */
export const TENANT_CALLERS = ['api_key', 'member'] as const

/**
 * `whose`: the owner of a valid credential of a kind that the route does not serve; the request counts against its
 * rate.
 */
type TurnedAway = Problem<'unauthorized' | 'forbidden' | 'unavailable'> & { readonly whose?: Caller }

/** Finds out who sends a request; a credential that is valid but of a kind not served is `forbidden`. */
export type Authenticate = (
  head: RequestHead,
  served: readonly CallerKind[],
) => Eventually<Caller | TurnedAway>
