import type { Static, TObject, TSchema } from 'typebox'
import type { Eventually } from '../../domain/eventually.ts'
import type { Code } from '../../domain/codes.ts'
import { limits } from '../../domain/limits.ts'
import type { CallerKind, Callers } from '../callers/caller.ts'
import type { BodyReader } from './body-reader.ts'
import type { Problem } from './problem.ts'
import type { Idempotency } from './idempotency.ts'
import type { Tag } from '../openapi/tags.ts'
import type { Reply, ReplyHeaders, RequestHead, Streaming } from '../server/server.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Which text it is, object by object, and how long it may be. Where it is long, the body has an empty text instead. */
export type LongText = { readonly path: readonly string[]; readonly charactersMax: number }

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

type StaticOr<Schema, Absent> = Schema extends TSchema ? Static<Schema> : Absent

type OfEveryRoute = {
  /** Of a POST: the id of what it makes or does, the same in every attempt under one Idempotency-Key; else empty. */
  readonly recordId: string
  /** The id was made for this request alone: there is no Idempotency-Key under which it may come again. */
  readonly isRecordNew?: true
  readonly head: RequestHead
  /** Reads the long text of the body, where it has one; a handler that does not need it leaves it in bytes. */
  readonly longText: (() => string) | null
}

/** What a handler gets, validated as a whole. */
export type RouteRequest<Kinds extends CallerKind, Path extends string, Query, Body> = {
  readonly caller: Callers[Kinds]
  readonly params: Readonly<Record<ParamNames<Path>, string>>
  readonly query: StaticOr<Query, Record<string, never>>
  readonly body: StaticOr<Body, null>
} & OfEveryRoute

/** Domain values are readonly all the way down; answers may be made of them as they are. */
type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value

type Answer<Status, Body> = {
  readonly status: Status
  readonly body: Body
  readonly headers: ReplyHeaders
  readonly streaming?: Streaming
}

type RouteAnswer<Responses> = {
  [Status in keyof Responses]: Answer<Status, DeepReadonly<StaticOr<Responses[Status], never>>>
}[keyof Responses]

export const NO_HEADERS: ReplyHeaders = Object.freeze({})

/** When all went well; else `problem`. Keeps literals, so that schemas can check them. */
export const reply = <const Status extends number, const Body>(
  status: Status,
  body: Body,
  headers: ReplyHeaders = NO_HEADERS,
): Answer<Status, Body> => ({ status, body, headers })

/** An answer that goes on after its head; only for a route with `isEventStream`. */
export const streamed = (streaming: Streaming): Answer<200, string> => ({
  status: 200,
  body: '',
  headers: STREAM_HEADERS,
  streaming,
})

/** No proxy may store or buffer the stream; the last header is how nginx learns it. */
const STREAM_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'Content-Type': 'text/event-stream',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
})

type Outcome<Responses, Errors extends Code> = RouteAnswer<Responses> | Problem<Errors>

/** Who may call a route, and under which conditions. */
export type Access<Kinds extends CallerKind = CallerKind> = {
  /** Required: a route that does not say whom it serves does not compile. */
  readonly callers: readonly [Kinds, ...Kinds[]]
  /**
   * The route is about a secret, or takes something away: a person must have shown the second factor a few minutes ago
   * at most.
   */
  readonly needsStepUp?: boolean
  /** It needs that and is about no secret: an operator who acts for an organisation may call it too. */
  readonly isWithoutSecret?: boolean
  /** About the caller's own account or session: a viewer may change something, and the local credential has neither. */
  readonly isOwnAccount?: boolean
  /**
   * A step on the way to a session: a request with a bearer credential is refused before anything else is looked at.
   */
  readonly isBeforeSignIn?: boolean
  /** Changes who belongs to the organisation and what they may do, which an operator who acts for it may not. */
  readonly changesMembers?: boolean
  /** Answers also when too many requests are in progress: it costs next to nothing and tells how the service is. */
  readonly isAlwaysServed?: boolean
}

/** What is special about the successful answers of a route. */
export type AnswerTraits = {
  /** They carry an ETag; 304 to a request that names it in If-None-Match. */
  readonly hasETag?: boolean
  /** They are a stream of events (`streamed`), which takes Last-Event-ID. */
  readonly isEventStream?: boolean
  /** Headers of the route's own. */
  readonly headers?: readonly SentHeader[]
  /** Fields of the example in the description, where records look different for most of their life. */
  readonly example?: Readonly<Record<string, unknown>> | null
}

export type SentHeader = 'Cache-Control' | 'Set-Cookie'

/** What the audit log says of a request by an operator. */
export type AuditTraits = {
  /** The organisation that the request is about, in whose audit log the entry stands; null: in the operators' alone. */
  readonly organisation?: (request: Pick<AnyRequest, 'params' | 'body'>) => Promise<string | null>
  /** Why, in the words of the caller; readable for the organisation. */
  readonly reason?: (request: Pick<AnyRequest, 'body'>) => string
  /** What it was done to, where the answer has no id. It is said of what was done: what a caller sends in vain may be anything. */
  readonly done?: (request: Pick<AnyRequest, 'params' | 'body'>) => string
  /** It was done to the record in the answer, not to the one in the path. */
  readonly isToAnswered?: boolean
}

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
  /**
   * What a caller should know beyond the summary. Who may call, what an Idempotency-Key does and what is refused is
   * described by the mechanism.
   */
  readonly description?: string
  /** The chapter of the description; a route without one is not described. */
  readonly tag?: Tag
  readonly access: Access<Kinds>
  readonly query?: Query
  readonly body?: Body
  readonly bodyBytesMax?: number
  /** The one text that may make a body larger than `limits.bodyBytesMax`. */
  readonly longText?: LongText
  /** Reads the body instead of the mechanism. */
  readonly bodyReader?: BodyReader
  /** What an Idempotency-Key does; a POST of the API that does not say it is not accepted. */
  readonly idempotency?: Idempotency<StaticOr<Body, null>>
  readonly responses: Responses
  readonly answer?: AnswerTraits
  /** The field of other records by whose value the route is called next: their answers link to it. */
  readonly linkedBy?: string
  /** Codes of the route's own; those that any route can answer are added by the mechanism. */
  readonly errors: readonly Errors[]
  readonly audit?: AuditTraits
  readonly handle: (
    request: RouteRequest<Kinds, Path, Query, Body>,
  ) => Eventually<Outcome<NoInfer<Responses>, NoInfer<Errors>>>
}

type AnyDefinition = RouteDefinition<
  CallerKind,
  string,
  TObject,
  TSchema,
  Readonly<Record<number, TSchema>>,
  Code
>

/** What a definition may leave out is null in the route, or has the default that stands here. */
type Filled<Definition> = {
  readonly [Field in keyof Definition]-?: object extends Pick<Definition, Field>
    ? NonNullable<Definition[Field]> | null
    : Definition[Field]
}

type Run = (request: AnyRequest) => Eventually<AnyOutcome>

/** A definition with its types forgotten, as the router, the validation and the description see it. */
export type Route = Omit<Filled<AnyDefinition>, 'access' | 'answer' | 'bodyBytesMax' | 'handle'> & {
  readonly access: Required<Access>
  readonly answer: Required<AnswerTraits>
  readonly bodyBytesMax: number
  readonly handle: Run
  /** For what is not JSON: the content types of the body, and a handler that makes its answer itself. */
  readonly raw: RawRoute | null
  /** Goes around each request of a member that fits, also where the answer is repeated and nothing is handled. */
  readonly around:
    | ((request: Omit<AnyRequest, 'recordId'>, run: () => ReturnType<Run>) => ReturnType<Run>)
    | null
}

export type RawRequest = {
  readonly params: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly head: RequestHead
}

type RawRoute = {
  /** Empty: the route takes no body. */
  readonly contentTypes: readonly string[]
  /** Of each part of the path that is a parameter; left out: as long as an id may be. */
  readonly paramCharactersMax?: number
  readonly handle: (request: RawRequest) => Eventually<Reply | Problem>
}

export type AnyRequest = OfEveryRoute & {
  readonly caller: Callers[CallerKind]
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
}
export type AnyOutcome = Answer<number, unknown> | Problem

const LEFT_OUT = {
  description: null,
  tag: null,
  query: null,
  body: null,
  bodyBytesMax: limits.bodyBytesMax,
  longText: null,
  bodyReader: null,
  idempotency: null,
  linkedBy: null,
  audit: null,
  raw: null,
  around: null,
} satisfies Partial<Route>

const NO_CONDITIONS = {
  needsStepUp: false,
  isWithoutSecret: false,
  isOwnAccount: false,
  isBeforeSignIn: false,
  changesMembers: false,
  isAlwaysServed: false,
} satisfies Partial<Access>

const PLAIN: Required<AnswerTraits> = { hasETag: false, isEventStream: false, headers: [], example: null }

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
  const { method, path, idempotency } = definition
  if (method === 'POST' && path.startsWith('/v1/') && idempotency === undefined)
    throw new Error(`POST ${path} does not say what an Idempotency-Key does`)
  // The front door hands over only what the schemas have accepted, which is what the handler's type says.
  const given = definition as unknown as AnyDefinition & Pick<Route, 'handle'>
  return Object.freeze({
    ...LEFT_OUT,
    ...given,
    access: { ...NO_CONDITIONS, ...given.access },
    answer: { ...PLAIN, ...given.answer },
  })
}

/** A route for wallets and browsers, which speak no JSON; it does not ask who calls. */
export const defineRawRoute = (
  definition: Pick<Route, 'method' | 'path' | 'operationId' | 'summary' | 'errors'> & {
    readonly tag?: Tag
    readonly access?: Access
    readonly bodyBytesMax?: number
    readonly raw: RawRoute
  },
): Route =>
  Object.freeze({
    ...LEFT_OUT,
    ...definition,
    access: { ...NO_CONDITIONS, callers: ['nobody'] as const, ...definition.access },
    answer: PLAIN,
    responses: {},
    handle: () => {
      throw new Error('a raw route answers by itself')
    },
  })

/** Whether a credential is never looked at. */
export const isForNobodyElse = ({ access: { callers } }: Route): boolean =>
  callers.length === 1 && callers[0] === 'nobody'
