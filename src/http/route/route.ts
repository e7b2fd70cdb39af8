import type { Static, TObject, TSchema } from 'typebox'
import type { Code } from '../../domain/codes.ts'
import { limits } from '../../domain/limits.ts'
import type { CallerKind, Callers } from '../callers/caller.ts'
import type { Problem } from './problem.ts'
import type { Repetition } from './idempotency.ts'
import type { Reply, RequestHead, Streaming } from '../server/server.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

type StaticOr<Schema, Absent> = Schema extends TSchema ? Static<Schema> : Absent

/** What a handler gets: all of it validated. */
export type RouteRequest<Kinds extends CallerKind, Path extends string, Query, Body> = {
  readonly caller: Callers[Kinds]
  readonly params: Readonly<Record<ParamNames<Path>, string>>
  readonly query: StaticOr<Query, Record<string, never>>
  readonly body: StaticOr<Body, null>
  /** Of a POST: the id of what it makes or does, the same in every attempt under one Idempotency-Key; else empty. */
  readonly recordId: string
  readonly head: RequestHead
}

/** Domain values are readonly all the way down; answers may be made of them as they are. */
type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value

type Answer<Status, Body> = {
  readonly status: Status
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>
  readonly streaming?: Streaming
}

type RouteAnswer<Responses> = {
  [Status in keyof Responses]: Answer<Status, DeepReadonly<StaticOr<Responses[Status], never>>>
}[keyof Responses]

export const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({})

/** What a handler returns when all went well; `problem` is its counterpart. Keeps literals, so that schemas can check them. */
export const reply = <const Status extends number, const Body>(
  status: Status,
  body: Body,
  headers: Readonly<Record<string, string>> = NO_HEADERS,
): Answer<Status, Body> => ({ status, body, headers })

/** An answer that goes on behind its head, by a route that says so. */
export const streamed = (streaming: Streaming): Answer<200, string> => ({
  status: 200,
  body: '',
  headers: STREAM_HEADERS,
  streaming,
})

/** Neither kept nor gathered by a proxy on the way; the last is how nginx is told. */
const STREAM_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'Content-Type': 'text/event-stream',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
})

type Outcome<Responses, Errors extends Code> = RouteAnswer<Responses> | Problem<Errors>

export type RouteDefinition<
  Kinds extends CallerKind,
  Path extends string,
  Query extends TObject | undefined,
  Body extends TSchema | undefined,
  Responses extends Readonly<Record<number, TSchema>>,
  Errors extends Code,
> = {
  readonly method: Method
  readonly path: Path
  readonly operationId: string
  readonly summary: string
  /** Required: a route that does not say whom it serves does not compile. */
  readonly caller: readonly [Kinds, ...Kinds[]]
  readonly query?: Query
  readonly body?: Body
  readonly bodyBytesMax?: number
  /** What a POST does when it comes again under its Idempotency-Key; one that does not say it is not accepted. */
  readonly repetition?: Repetition<StaticOr<Body, null>>
  /**
   * About a secret: a person must have shown the second factor a few minutes ago at most, and nobody who acts for an
   * organisation may do it.
   */
  readonly stepUp?: boolean
  /** About the caller's own account: a viewer may do it too. */
  readonly ownAccount?: boolean
  /** On the way into the console: whoever shows a credential of another kind is refused before anything is read. */
  readonly isForStrangers?: boolean
  /** Says who belongs to the organisation and what they may do: nobody who acts for it changes that. */
  readonly changesPeople?: boolean
  /** Answers carry an ETag; 304 to whoever names it in If-None-Match. */
  readonly isTagged?: boolean
  /** The successful answer is a stream of events (`streamed`), which takes Last-Event-ID. */
  readonly isEventStream?: boolean
  /** Answers also when too many requests are under way: it costs next to nothing, and says how things stand. */
  readonly isAlwaysServed?: boolean
  /** What the example of its good answer has, where records look otherwise in most of their life. */
  readonly example?: Readonly<Record<string, unknown>>
  /** Headers of its own that its good answers have. */
  readonly sends?: readonly SentHeader[]
  /** The organisation that an operator's request is about: the line of the audit log stands in its log. */
  readonly concerns?: Concerns
  /** Why, in the caller's words: stands in that line, readable for the organisation. */
  readonly auditedReason?: AuditedReason
  readonly responses: Responses
  /** Codes of its own; those that any route can answer are added by the mechanism. */
  readonly errors: readonly Errors[]
  readonly handle: (
    request: RouteRequest<Kinds, Path, Query, Body>,
  ) => Outcome<NoInfer<Responses>, NoInfer<Errors>> | Promise<Outcome<NoInfer<Responses>, NoInfer<Errors>>>
}

type AuditedReason = (request: Pick<AnyRequest, 'body'>) => string

export type SentHeader = 'Cache-Control' | 'Set-Cookie'

type Concerns = (request: Pick<AnyRequest, 'params' | 'body'>) => Promise<string | null>

/** A route with its types forgotten, as the router, the validation and the OpenAPI page see it. */
export type Route = {
  readonly method: Method
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly caller: readonly CallerKind[]
  readonly query: TObject | null
  readonly body: TSchema | null
  readonly bodyBytesMax: number
  readonly repetition: Repetition<unknown> | null
  readonly stepUp?: boolean
  readonly ownAccount?: boolean
  readonly isForStrangers?: boolean
  readonly changesPeople?: boolean
  readonly isTagged?: boolean
  readonly isEventStream?: boolean
  readonly isAlwaysServed?: boolean
  readonly example?: Readonly<Record<string, unknown>>
  readonly sends?: readonly SentHeader[]
  readonly concerns?: Concerns
  readonly auditedReason?: AuditedReason
  readonly responses: Readonly<Record<number, TSchema>>
  readonly errors: readonly Code[]
  /** For what is not JSON: the content types of the body, and a handler that makes its answer itself. */
  readonly raw: RawRoute | null
  readonly handle: (request: AnyRequest) => AnyOutcome | Promise<AnyOutcome>
  /** Goes around each request that fits, also where the answer is one from before and nothing is handled. */
  readonly around?: (
    request: Omit<AnyRequest, 'recordId'>,
    run: () => AnyOutcome | Promise<AnyOutcome>,
  ) => AnyOutcome | Promise<AnyOutcome>
}

export type RawRequest = {
  readonly params: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly head: RequestHead
}

type RawRoute = {
  /** Empty: the route takes no body. */
  readonly contentTypes: readonly string[]
  readonly handle: (request: RawRequest) => Reply | Problem | Promise<Reply | Problem>
}

export type AnyRequest = {
  readonly caller: Callers[CallerKind]
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
  readonly recordId: string
  readonly head: RequestHead
}
export type AnyOutcome = Answer<number, unknown> | Problem

export const defineRoute = <
  Kinds extends CallerKind,
  const Path extends string,
  Responses extends Readonly<Record<number, TSchema>>,
  Query extends TObject | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Errors extends Code = never,
>(
  definition: RouteDefinition<Kinds, Path, Query, Body, Responses, Errors>,
): Route => {
  const { method, path, repetition } = definition
  if (method === 'POST' && path.startsWith('/v1/') && repetition === undefined)
    throw new Error(`POST ${path} does not say how it is repeated`)
  return Object.freeze({
    ...definition,
    query: definition.query ?? null,
    body: definition.body ?? null,
    bodyBytesMax: definition.bodyBytesMax ?? limits.bodyBytesMax,
    repetition: (repetition as Repetition<unknown> | undefined) ?? null,
    raw: null,
    // The front door hands over only what the schemas above have accepted, which is what the handler's type says.
    handle: definition.handle as unknown as Route['handle'],
  })
}

/** A route for wallets and browsers, which speak no JSON; it serves nobody in particular. */
export const defineRawRoute = (
  definition: Pick<Route, 'method' | 'path' | 'operationId' | 'summary' | 'errors'> & {
    readonly bodyBytesMax?: number
    readonly raw: RawRoute
  },
): Route =>
  Object.freeze({
    ...definition,
    caller: ['nobody'] as const,
    query: null,
    body: null,
    repetition: null,
    bodyBytesMax: definition.bodyBytesMax ?? limits.bodyBytesMax,
    responses: {},
    handle: () => {
      throw new Error('a raw route answers by itself')
    },
  })
