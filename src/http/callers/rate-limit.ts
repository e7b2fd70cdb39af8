import { chain, type Eventually } from '../../domain/eventually.ts'
import type { Config } from '../../config/config.ts'
import { limits } from '../../domain/limits.ts'
import type { Caller, Callers } from './caller.ts'
import { problem, retryAfter, type Problem } from '../route/problem.ts'
import type { Rate, RateDecision, RateWindows } from '../../timing/rate-windows.ts'

type Headers = Readonly<Record<string, string>>

/** Whether the rate of the caller admits one request, with headers for the answer. */
export type Admission =
  | { readonly is: 'admitted'; readonly headers: Headers }
  | { readonly is: 'refused'; readonly problem: Problem<'rate_limited' | 'overloaded'> }

export type RateLimit = (caller: Caller) => Eventually<Admission> | null

const WINDOW_MS = limits.rateWindowSeconds * 1_000
const FULL_RETRY_MS = 1_000

/** Null for callers that have no rate of their own. */
export const rateLimitOf =
  (windows: RateWindows, rates: Config['rates']): RateLimit =>
  (caller) => {
    const counted = countedAs(caller, rates)
    if (counted === null) return null
    const [key, max] = counted
    const rate: Rate = { max, windowMs: WINDOW_MS }
    const decision = windows.take(key, rate)
    if (caller.kind === 'api_key' && typeof caller.tenantRatePerMinute === 'number')
      return withOrganisation(windows, caller, decision, rate)
    return chain(decision, (it) => admission(it, rate))
  }

/** A key that is above its own rate takes nothing from the others, so the organisation is counted last. */
const withOrganisation = (
  windows: RateWindows,
  { keyId, tenantId, tenantRatePerMinute }: Callers['api_key'],
  decision: Eventually<RateDecision>,
  ofKey: Rate,
): Eventually<Admission> =>
  chain(decision, (it) => {
    if (it.is !== 'admitted') return admission(it, ofKey)
    const ofAll: Rate = { max: tenantRatePerMinute ?? 0, windowMs: WINDOW_MS }
    const taken = windows.take(tenantId, ofAll)
    // Where either was counted elsewhere, others of the key may have come meanwhile, and the newest place is one of theirs.
    const isAtOnce = !(decision instanceof Promise) && !(taken instanceof Promise)
    return chain(taken, (all) => {
      if (all.is !== 'admitted' && isAtOnce) windows.takeBack(keyId)
      const isNearer = all.is !== 'admitted' || all.remaining < it.remaining
      return isNearer ? admission(all, ofAll, 'organisation') : admission(it, ofKey)
    })
  })

const countedAs = (caller: Caller, rates: Config['rates']): readonly [string, number] | null => {
  if (caller.kind === 'api_key') return [caller.keyId, caller.ratePerMinute ?? rates.apiKeyRequestsPerMinute]
  if (caller.kind === 'wallet_token') return [caller.walletId, rates.walletTokenRequestsPerMinute]
  if (caller.kind === 'nobody' || caller.session === undefined) return null
  const account = caller.kind === 'member' ? caller.memberId : caller.operatorId
  // Its own id names no shard, and the node that has the account's counts it.
  return [`${account} ${caller.session.id}`, rates.sessionRequestsPerMinute]
}

/** As the headers name what was counted: the key, token or session itself, or all keys of the organisation. */
type Policy = 'default' | 'organisation'

const admission = (decision: RateDecision, rate: Rate, policy: Policy = 'default'): Admission => {
  if (decision.is === 'full') {
    const reason = 'Too many callers are being counted; try again.'
    return { is: 'refused', problem: problem('overloaded', reason, retryAfter(FULL_RETRY_MS)) }
  }
  const headers = rateHeaders(decision.remaining, decision.resetMs, rate, policy)
  if (decision.is === 'admitted') return { is: 'admitted', headers }
  const whose = policy === 'organisation' ? ' of the organisation' : ''
  const reason = `More than ${rate.max} requests${whose} came within ${rate.windowMs / 1_000} seconds; wait before the next.`
  // A place is free only when its window is over, so a millisecond is added before rounding up.
  const wait = retryAfter(decision.resetMs + 1)
  return { is: 'refused', problem: problem('rate_limited', reason, { ...headers, ...wait }) }
}

/** As the IETF draft "RateLimit header fields for HTTP" writes them. */
const rateHeaders = (remaining: number, resetMs: number, { max }: Rate, policy: Policy): Headers => ({
  RateLimit: `"${policy}";r=${remaining};t=${Math.max(1, Math.ceil(resetMs / 1_000))}`,
  'RateLimit-Policy': policy === 'default' ? policyOf(max) : policyText(policy, max),
})

const policyText = (policy: Policy, max: number): string =>
  `"${policy}";q=${max};w=${limits.rateWindowSeconds}`

let knownMax = 0
let knownPolicy = ''

/** Nearly every key has the same rate, so the last text is kept. */
const policyOf = (max: number): string => {
  if (max !== knownMax) [knownMax, knownPolicy] = [max, policyText('default', max)]
  return knownPolicy
}
