import { Type } from 'typebox'
import { chain, type Eventually } from '../../domain/eventually.ts'
import { limits } from '../../domain/limits.ts'
import type { Caller } from '../callers/caller.ts'
import type { BodyReader, ReadBody } from './body-reader.ts'
import { JSON_HEADERS, type Problem, problem, problemReply } from './problem.ts'
import { compileQuery } from './query.ts'
import type { RunOncePerKey } from './idempotency.ts'
import { NO_HEADERS, type Route } from './route.ts'
import { runIdempotent } from './run-idempotent.ts'
import type { Reply, RequestHead } from '../server/server.ts'
import { type BodyRules, type JsonBody, readJson, readLongText } from './json-body.ts'
import { type Validate, compileSchema, malformedTextIn } from './validation.ts'

export type Call = {
  readonly head: RequestHead
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export type CompiledRoute = Route & { readonly run: (call: Call) => Eventually<Reply> }

const NO_QUERY: Record<string, unknown> = Object.freeze({})
const NO_BODY: JsonBody = Object.freeze({ value: null, longText: null })

/** A body that was read. */
type Given = JsonBody & ReadBody

/** Compiles the schemas of a route, once at start-up. */
export const compileRoute = (route: Route, oncePerKey: RunOncePerKey): CompiledRoute => {
  const readQuery = route.query === null ? () => NO_QUERY : compileQuery(route.query)
  const checkQuery = route.query === null ? null : compileSchema(route.query, 'the query')
  const rules: BodyRules | null =
    route.body === null || route.bodyReader !== null
      ? null
      : { check: compileSchema(route.body, 'the body'), longText: route.longText }
  const checkParams = route.path.includes('{') ? compileSchema(paramsSchema(route), 'the path') : null
  if (route.raw !== null) return { ...route, run: (call) => runRaw(route, checkParams, call) }
  const finish = route.answer.isEventStream ? toStream : toReply
  const runWith = (
    call: Call,
    query: unknown,
    { value, longText: long, meaning }: Given,
  ): Eventually<Reply> => {
    const { caller, params, head } = call
    const longText = long === null ? null : () => readLongText(long)
    const request = { caller, params, query, body: value, head, longText }
    const { around } = route
    // Only requests of members have something around them; those of API keys do not pay for it.
    const outcome =
      around === null || caller.kind !== 'member'
        ? runIdempotent(route, request, long, oncePerKey, meaning)
        : around(request, () => runIdempotent(route, request, long, oncePerKey, meaning))
    return chain(outcome, finish)
  }
  const run = (call: Call): Eventually<Reply> => {
    const query = readQuery(call.head.query)
    const wrong =
      invalid(checkParams, call.params) ?? invalid(checkQuery, query) ?? malformedQuery(call.head, query)
    if (wrong !== null) return problemReply(wrong)
    if (route.bodyReader !== null)
      return chain(readApart(call, route.bodyReader), (read) =>
        isProblem(read) ? problemReply(read) : runWith(call, query, { ...read, longText: null }),
      )
    const body = rules === null ? NO_BODY : readBody(call.head, call.body, rules)
    if (isProblem(body)) return problemReply(body)
    return runWith(call, query, { ...body, meaning: body.value })
  }
  return { ...route, run: route.answer.isEventStream ? withoutBody(run) : run }
}

/**
 * A stream takes no body: two servers may disagree about where a body ends, and what follows would be read as a
 * request.
 */
const withoutBody =
  (run: CompiledRoute['run']): CompiledRoute['run'] =>
  (call) => {
    if (call.body.byteLength === 0 && !call.head.headers.has('transfer-encoding')) return run(call)
    return {
      ...problemReply(problem('invalid_request', 'A stream is asked for without a body.')),
      close: true,
    }
  }

const runRaw = (route: Route, checkParams: Validate | null, call: Call): Eventually<Reply> => {
  const { contentTypes, handle } = route.raw ?? { contentTypes: [], handle: () => problem('not_found', '') }
  const wrong = invalid(checkParams, call.params)
  if (wrong !== null) return problemReply(wrong)
  const sent = (call.head.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (contentTypes.length > 0 && !contentTypes.includes(sent)) {
    const reason = `The body must be sent as ${contentTypes.join(' or ')}.`
    return problemReply(problem('unsupported_media_type', reason))
  }
  const outcome = handle({ params: call.params, body: call.body, head: call.head })
  const answered = (it: Reply | Problem): Reply => ('problem' in it ? problemReply(it) : it)
  return chain(outcome, answered)
}

const paramsSchema = ({ path, raw }: Route) =>
  Type.Object(
    Object.fromEntries(
      [...path.matchAll(/\{([^}]+)\}/g)].map((found) => [
        found[1] ?? '',
        Type.String({ minLength: 1, maxLength: raw?.paramCharactersMax ?? limits.pathIdCharactersMax }),
      ]),
    ),
  )

const invalid = (check: Validate | null, value: unknown): Problem | null => {
  const reason = check === null ? null : check(value)
  return reason === null ? null : problem('invalid_request', `${reason}.`)
}

const readBody = (head: RequestHead, bytes: Uint8Array, rules: BodyRules): Problem | JsonBody =>
  noJsonSent(head, bytes) ?? readJson(bytes, rules)

const readApart = ({ head, body }: Call, read: BodyReader): Eventually<Problem | ReadBody> =>
  noJsonSent(head, body) ?? read(body)

const noJsonSent = (head: RequestHead, bytes: Uint8Array): Problem | null => {
  if (bytes.byteLength === 0) return problem('invalid_request', 'The body is required.')
  if (isJson(head.headers.get('content-type')) && !head.headers.has('content-encoding')) return null
  return problem(
    'unsupported_media_type',
    'The body must be sent as application/json in UTF-8, without a content encoding.',
  )
}

/** Decoding a query cannot leave half characters, but it can leave a NUL. */
const malformedQuery = (head: RequestHead, query: unknown): Problem | null => {
  const reason = head.query.includes('%00') ? malformedTextIn(query, 'the query') : null
  return reason === null ? null : problem('invalid_request', `${reason}.`)
}

const isJson = (contentType: string | undefined): boolean =>
  /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(contentType?.trim() ?? '')

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'problem' in value

const toReply = (outcome: Awaited<ReturnType<Route['handle']>>): Reply => {
  if ('problem' in outcome) return problemReply(outcome)
  const headers = outcome.headers === NO_HEADERS ? JSON_HEADERS : { ...JSON_HEADERS, ...outcome.headers }
  const { status, body } = outcome
  // Bytes are JSON that was serialised before.
  return { status, headers, body: body instanceof Uint8Array ? body : JSON.stringify(body) }
}

const toStream = (outcome: Awaited<ReturnType<Route['handle']>>): Reply => {
  if ('problem' in outcome) return problemReply(outcome)
  const { status, headers, streaming } = outcome
  return { status, headers, body: '', ...(streaming !== undefined && { streaming }) }
}
