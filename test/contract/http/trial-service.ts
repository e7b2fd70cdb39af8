import { Type } from 'typebox'
import { AskFailed } from '../../../src/ports/actors.ts'
import type { Authenticate } from '../../../src/http/callers/caller.ts'
import { clientAddressBehind } from '../../../src/http/server/client-address.ts'
import { createFrontDoor, type OpenDoor } from '../../../src/http/front-door/front-door.ts'
import { limits } from '../../../src/domain/limits.ts'
import { problem } from '../../../src/http/route/problem.ts'
import { defineRoute, reply, streamed } from '../../../src/http/route/route.ts'
import type {
  HttpServer,
  Outlet,
  RequestHead,
  ServerOptions,
  StartServer,
} from '../../../src/http/server/server.ts'
import type { SocketsOptions } from '../../../src/http/server/sockets/sockets-options.ts'
import type { LogFields } from '../../../src/telemetry/fields.ts'
import type { Log } from '../../../src/telemetry/logger.ts'
import { createMetrics, type Metrics } from '../../../src/telemetry/metrics.ts'
import { plainDoor } from '../../http/front-door/plain-door.ts'

export const SMALL_BODY_BYTES = 64

/** A handler that waits until the test lets it go. */
export type Gate = { readonly waiting: () => number; readonly open: () => void }

/** An answer that goes on, as whoever writes it sees it. */
export type TrialStream = { outlet: Outlet | null; drained: number; ended: number; cancelled: number }

export type Trial = {
  readonly streams: readonly TrialStream[]
  readonly server: HttpServer
  readonly port: number
  readonly gate: Gate
  readonly door: OpenDoor
  readonly logged: { readonly event: string; readonly fields: LogFields }[]
  readonly metrics: Metrics
}

/** The real front door with a few routes, behind the server under test. */
export const startTrial = async (
  start: StartServer,
  options: Partial<ServerOptions> = {},
  requestsInFlightMax = 1_000,
  sockets?: SocketsOptions,
): Promise<Trial> => {
  const waiters: (() => void)[] = []
  const streams: TrialStream[] = []
  const logged: { event: string; fields: LogFields }[] = []
  const log: Log = Object.assign(
    (event: string, fields: LogFields = {}) => void logged.push({ event, fields }),
    {
      flush: () => undefined,
    },
  )
  const metrics = createMetrics()
  const wait = () => new Promise<void>((resolve) => void waiters.push(resolve))
  const door = createFrontDoor({
    ...plainDoor,
    routes: [...trialRoutes(wait), ...streamRoutes(streams)],
    authenticate: authenticating(wait),
    clientAddress: clientAddressBehind(['127.0.0.1']),
    log,
    metrics,
    requestsInFlightMax,
  })
  const server = await start(
    { host: '127.0.0.1', port: 0, tls: null, bodyMemoryBytesMax: 1_000_000, ...options },
    door,
    sockets,
  )
  const gate = {
    waiting: () => waiters.length,
    open: () => {
      for (const resolve of waiters.splice(0)) resolve()
    },
  }
  return { server, port: server.port, streams, gate, door, logged, metrics }
}

/** A credential that is known at once, one that has to be looked up, and one whose first look-up the test holds; nobody else. */
const authenticating = (wait: () => Promise<void>): Authenticate => {
  const held = new WeakSet<RequestHead>()
  return (head) => {
    const credential = head.headers.get('authorization') ?? ''
    const found = credential.startsWith('Bearer right')
      ? ({ kind: 'api_key', tenantId: / of (\w+)/.exec(credential)?.[1] ?? 't', keyId: 'k' } as const)
      : problem('unauthorized', 'A key is required.', { 'WWW-Authenticate': 'Bearer' })
    if (credential.endsWith('held') && !held.has(head)) {
      held.add(head)
      return wait().then(() => found)
    }
    return credential.endsWith('later') ? Promise.resolve(found) : found
  }
}

const open = { access: { callers: ['nobody'] }, errors: [], summary: 'x', operationId: 'x' } as const

const trialRoutes = (wait: () => Promise<void>) => [
  defineRoute({
    ...open,
    method: 'GET',
    path: '/things/{id}',
    query: Type.Object({ q: Type.Optional(Type.String()) }),
    responses: { 200: Type.Object({ id: Type.String(), q: Type.String(), from: Type.String() }) },
    handle: ({ params, query, head }) =>
      reply(200, { id: params.id, q: query.q ?? '', from: head.remoteAddress }),
  }),
  defineRoute({
    ...open,
    method: 'POST',
    path: '/echo',
    body: Type.Unknown(),
    responses: { 200: Type.Unknown() },
    handle: ({ body }) => reply(200, body),
  }),
  defineRoute({
    ...open,
    access: { callers: ['api_key'] },
    method: 'POST',
    path: '/mine',
    body: Type.Unknown(),
    responses: { 200: Type.Unknown() },
    handle: ({ body }) => reply(200, body),
  }),
  defineRoute({
    ...open,
    access: { callers: ['api_key'] },
    method: 'POST',
    path: '/image',
    body: Type.Object({ image: Type.String() }),
    bodyBytesMax: limits.imageBodyBytesMax,
    longText: { path: ['image'], charactersMax: limits.imageBodyBytesMax },
    responses: { 200: Type.Unknown() },
    handle: ({ body }) => reply(200, body),
  }),
  defineRoute({
    ...open,
    method: 'POST',
    path: '/small',
    body: Type.Unknown(),
    bodyBytesMax: SMALL_BODY_BYTES,
    responses: { 200: Type.Object({}) },
    handle: () => reply(200, {}),
  }),
  defineRoute({
    ...open,
    method: 'GET',
    path: '/slow',
    responses: { 200: Type.Object({ slow: Type.Boolean() }) },
    handle: async () => {
      await wait()
      return reply(200, { slow: true })
    },
  }),
  defineRoute({
    ...open,
    method: 'GET',
    path: '/large',
    responses: { 200: Type.String() },
    handle: () => reply(200, 'x'.repeat(8_000_000)),
  }),
  defineRoute({
    ...open,
    method: 'GET',
    path: '/bug',
    responses: { 200: Type.Null() },
    handle: () => {
      throw new Error('the secret cause')
    },
  }),
  defineRoute({
    ...open,
    method: 'GET',
    path: '/away',
    responses: { 200: Type.Null() },
    handle: async () => {
      throw new AskFailed('unavailable', 'the store is away', 1_500)
    },
  }),
]

/** One that is there at once, and one whose handler takes its time. */
const streamRoutes = (streams: TrialStream[]) =>
  (['/stream', '/stream/later'] as const).map((path) =>
    defineRoute({
      ...open,
      method: 'GET',
      path,
      answer: { isEventStream: true },
      responses: { 200: Type.String() },
      handle: () => {
        const stream: TrialStream = { outlet: null, drained: 0, ended: 0, cancelled: 0 }
        streams.push(stream)
        const answer = streamed({
          start: (outlet) => {
            stream.outlet = outlet
            outlet.write('data: begun\n\n')
            return { drained: () => void stream.drained++, ended: () => void stream.ended++ }
          },
          cancel: () => void stream.cancelled++,
        })
        return path === '/stream' ? answer : Promise.resolve(answer)
      },
    }),
  )
