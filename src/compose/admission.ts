import type { Config } from '../config/config.ts'
import type { Runtime } from '../ports/runtime.ts'
import { OwnedRateWindows } from '../http/callers/rate-windows.ts'
import { type RateLimit, rateLimitOf } from '../http/callers/rate-limit.ts'
import { LocalRateWindows } from '../http/callers/rate-windows.ts'
import type { RunOncePerKey } from '../http/route/idempotency.ts'
import { type IdempotencyPorts, runOncePerKey } from '../actors/idempotency-claim/idempotency.ts'

/** A request asks a few times in a row; a request that was not heard of for longer than that has died. */
const ASKS_IN_A_ROW = 4

export const composeIdempotency = (
  ports: Omit<IdempotencyPorts, 'runMs'>,
  askTimeoutMs: number,
): RunOncePerKey => {
  const all = { ...ports, runMs: askTimeoutMs * ASKS_IN_A_ROW }
  return (request, work) => runOncePerKey(all, request, work)
}

/** 256 MB at most: 100,000 keys that use all of their 300 a minute, or 900,000 wallets that call now and then. */
const TIMES_MAX = 33_554_432

/** A key is identified where its actor lives, so its requests are counted on that node too, in its memory. */
export const composeRateLimit = (
  runtime: Pick<Runtime, 'monotonicMs'>,
  rates: Config['rates'],
): RateLimit => {
  const local = new LocalRateWindows(() => runtime.monotonicMs(), TIMES_MAX)
  return rateLimitOf(new OwnedRateWindows(local, { ownerOf: () => null, nodes: () => 1 }), rates)
}
