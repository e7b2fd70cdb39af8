import type { Static, TObject, TSchema } from 'typebox'
import type { Code } from '../domain/codes.ts'
import type { CallerKind, Callers } from './caller.ts'
import type { Problem } from './problem.ts'
import type { RequestHead } from './server.ts'

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
  readonly head: RequestHead
}

export type RouteReply<Responses> = {
  [Status in keyof Responses]: {
    readonly status: Status
    readonly body: StaticOr<Responses[Status], never>
    readonly headers?: Readonly<Record<string, string>>
  }
}[keyof Responses]

type Outcome<Responses, Errors extends Code> = RouteReply<Responses> | Problem<Errors>

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
  readonly responses: Responses
  /** Codes of its own; those that any route can answer are added by the mechanism. */
  readonly errors: readonly Errors[]
  readonly handle: (
    request: RouteRequest<Kinds, Path, Query, Body>,
  ) => Outcome<NoInfer<Responses>, NoInfer<Errors>> | Promise<Outcome<NoInfer<Responses>, NoInfer<Errors>>>
}

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
  readonly responses: Readonly<Record<number, TSchema>>
  readonly errors: readonly Code[]
  readonly handle: (request: AnyRequest) => AnyOutcome | Promise<AnyOutcome>
}

type AnyRequest = {
  readonly caller: Callers[CallerKind]
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
  readonly head: RequestHead
}
type AnyOutcome =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  | Problem

/** Enough for every body but those with a reference image. */
export const BODY_BYTES_MAX = 256 * 1024

export const defineRoute = <
  Kinds extends CallerKind,
  const Path extends string,
  Responses extends Readonly<Record<number, TSchema>>,
  Query extends TObject | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Errors extends Code = never,
>(
  definition: RouteDefinition<Kinds, Path, Query, Body, Responses, Errors>,
): Route =>
  Object.freeze({
    ...definition,
    query: definition.query ?? null,
    body: definition.body ?? null,
    bodyBytesMax: definition.bodyBytesMax ?? BODY_BYTES_MAX,
    // The front door hands over only what the schemas above have accepted, which is what the handler's type says.
    handle: definition.handle as unknown as Route['handle'],
  })
