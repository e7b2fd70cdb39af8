import { chain, type Eventually } from '../../domain/eventually.ts'
import type { Config } from '../../config/config.ts'
import { limits } from '../../domain/limits.ts'
import type { Caller } from './caller.ts'
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
    return chain(decision, (it) => admission(it, rate))
  }

const countedAs = (caller: Caller, rates: Config['rates']): readonly [string, number] | null => {
  if (caller.kind === 'api_key') return [caller.keyId, caller.ratePerMinute ?? rates.apiKeyRequestsPerMinute]
  if (caller.kind === 'wallet_token') return [caller.walletId, rates.walletTokenRequestsPerMinute]
  return null
}

const admission = (decision: RateDecision, rate: Rate): Admission => {
  if (decision.is === 'full') {
    const reason = 'Too many callers are being counted; try again.'
    return { is: 'refused', problem: problem('overloaded', reason, retryAfter(FULL_RETRY_MS)) }
  }
  const headers = rateHeaders(decision.remaining, decision.resetMs, rate)
  if (decision.is === 'admitted') return { is: 'admitted', headers }
  const reason = `More than ${rate.max} requests came within ${rate.windowMs / 1_000} seconds; wait before the next.`
  // A place is free only when its window is over, so a millisecond is added before rounding up.
  const wait = retryAfter(decision.resetMs + 1)
  return { is: 'refused', problem: problem('rate_limited', reason, { ...headers, ...wait }) }
}

/** As the IETF draft "RateLimit header fields for HTTP" writes them. */
const rateHeaders = (remaining: number, resetMs: number, { max }: Rate): Headers => ({
  RateLimit: `"default";r=${remaining};t=${Math.max(1, Math.ceil(resetMs / 1_000))}`,
  'RateLimit-Policy': policyOf(max),
})

let knownMax = 0
let knownPolicy = ''

/** Nearly every key has the same rate, so the last text is kept. */
const policyOf = (max: number): string => {
  if (max !== knownMax) [knownMax, knownPolicy] = [max, `"default";q=${max};w=${limits.rateWindowSeconds}`]
  return knownPolicy
}
