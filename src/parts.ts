import type { Runtime } from './ports/runtime.ts'
import type { Config } from './config/config.ts'
import type { Contents } from './http/openapi/openapi.ts'
import type { Authenticate } from './http/callers/caller.ts'
import type { RunOncePerKey } from './http/route/idempotency.ts'
import type { RateLimit } from './http/callers/rate-limit.ts'
import type { Route } from './http/route/route.ts'
import type { Log } from './telemetry/logger.ts'
import type { Metrics } from './telemetry/metrics.ts'
import type { Probed } from './telemetry/probes.ts'

/** Something with a life of its own that the service needs; its probe feeds health and readiness. */
export type Part = Probed &
  AsyncDisposable & {
    readonly routes?: readonly Route[]
    /** What the description of the API says of the routes together. */
    readonly contents?: Contents
    /** Routes that the private port has beside the others. */
    readonly localRoutes?: readonly Route[]
    readonly authenticate?: Authenticate
    readonly idempotency?: RunOncePerKey
    readonly rateLimit?: RateLimit
    /** The ports are open. Answers with what a person at the terminal should read. */
    readonly listening?: (urls: { readonly url: string }) => Promise<readonly string[]>
  }

/** What comes from the machine unless somebody gives another: time, and what a proof request is made unique by. */
export type Surroundings = { readonly runtime?: Runtime; readonly newNonce?: () => string }

export type PartContext = Surroundings & {
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
}

export type OpenPart = (context: PartContext) => Promise<Part>
