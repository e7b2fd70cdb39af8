import { newSignInCounts } from '../../src/actors/sign-in-lockout/attempt-counts.ts'
import type { ApiPorts } from '../../src/actors/kind-ports.ts'
import type { Actors } from '../../src/ports/actors.ts'
import type { ClusterView } from '../../src/ports/cluster.ts'
import type { Directory } from '../../src/ports/directory.ts'
import type { ListOverviews } from '../../src/ports/list-overview.ts'
import { composeCluster } from '../../src/compose/cluster.ts'
import { composeApi } from '../../src/compose/api.ts'
import { feedSettings } from '../../src/compose/events.ts'
import { composeHealth } from '../../src/compose/health.ts'
import { rebuildJob } from '../../src/directory/rebuild-job.ts'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import type { Caller } from '../../src/http/callers/caller.ts'
import { createFrontDoor } from '../../src/http/front-door/front-door.ts'
import type { Route } from '../../src/http/route/route.ts'
import { healthRoute } from '../../src/http/routes/health.ts'
import { contentsOf } from '../../src/actors/contents.ts'
import { kinds } from '../../src/actors/index.ts'
import { publishedEventsOf } from '../../src/actors/published-events.ts'
import { KindTables } from '../../src/actors/tables.ts'
import { LargeEnvelopes } from '../../src/http/routes/large-envelopes.ts'
import { openApiRoute } from '../../src/http/routes/openapi.ts'
import { problem } from '../../src/http/route/problem.ts'
import { clientAddressBehind } from '../../src/http/server/client-address.ts'
import type { FrontDoor } from '../../src/http/server/server.ts'
import { silentLog } from '../silent-log.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { createApiKey } from '../../src/actors/api-key/commands.ts'
import { LiveFeed } from '../../src/stream/event-feed.ts'
import { InProcessStream } from '../../src/stream/in-process-stream.ts'
import { cheapPasswords } from '../actors/account/accounts-world.ts'
import { type ClusterOnMemory, clusterOnMemory } from './cluster-on-memory.ts'
import {
  type BesideOthers,
  type ServiceOnMemory,
  serviceOnMemory,
  type Through,
} from './service-on-memory.ts'

type Json = Readonly<Record<string, unknown>>
export type Sent = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
  readonly text: string
  readonly json: Json
}
export type SendOptions = {
  readonly body?: unknown
  readonly as?: string | Caller
  readonly headers?: Readonly<Record<string, string>>
}

/** Lists from the rows of the real actors; those that have changed are looked up for every page. */
const directoryOf = ({ useCases, journal }: ServiceOnMemory): Directory & ListOverviews & Disposable => {
  const directory = new SqliteDirectory(':memory:')
  const seen = new Map<string, number>()
  const tables = new KindTables(kinds)
  const catchUp = async (): Promise<void> => {
    const changed = [...journal.events].filter(([id, { length }]) => seen.get(id) !== length)
    for (const [id, { length }] of changed) seen.set(id, length)
    const rows = await Promise.all(changed.map(async ([id]) => tables.rowsOf(useCases.actors, id)))
    directory.write(0, rows.flat(), { no: 1, index: 0 })
  }
  const current = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    await catchUp()
    return ask()
  }
  return {
    list: (query) => current(() => directory.list(query)),
    overview: (query) => current(() => directory.overview(query)),
    due: (query) => current(() => directory.due(query)),
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  }
}

/** Composed for each call, because tests choose whether there is a cluster at all. */
const composeClusterOf = ({ parts }: ClusterOnMemory, { journal }: ServiceOnMemory): ClusterView => {
  const now = () => {
    const { shardOrders } = parts
    return composeCluster({
      ...parts,
      shardOrders,
      isOpen: () => true,
      journal,
      listedUpTo: () => Promise.resolve(null),
    })
  }
  return {
    nodes: () => now().nodes(),
    shards: () => now().shards(),
    lagOf: (shard) => now().lagOf(shard),
    moves: () => now().moves(),
    expectedPause: () => now().expectedPause(),
    order: (give) => now().order(give),
  }
}

/** Every route of the API behind the real front door, on real actors; people of the console come as they are given. */
export const apiOnMemory = async (
  rate = 1_000_000,
  walletTokenRequestsPerMinute = 60,
  through?: Through,
  beside: BesideOthers & {
    readonly ports?: (actors: Actors) => Partial<ApiPorts>
    readonly sessionRate?: number
  } = {},
) => {
  const service = await serviceOnMemory(through, beside)
  const directory = directoryOf(service)
  service.lists.directory = directory
  const { vault, runtime } = service
  const { useCases } = service
  const stream = new InProcessStream()
  await stream.subscribe('nobody', () => Promise.resolve())
  const unreadable: string[] = []
  const cluster = clusterOnMemory(runtime)
  const feed = new LiveFeed(stream, feedSettings)
  const clientAddress = clientAddressBehind(['127.0.0.1'])
  const parts = composeApi({
    kinds,
    config: {
      actors: { askTimeoutMs: 5_000 },
      rates: {
        apiKeyRequestsPerMinute: rate,
        walletTokenRequestsPerMinute,
        sessionRequestsPerMinute: beside.sessionRate ?? 1_000_000,
      },
    },
    inbound: {
      receive: (_, envelope) => Promise.resolve(envelope.includes('"protected"') ? 'accepted' : 'refused'),
      isKnown: () => Promise.resolve(false),
    },
    forward: () => Promise.resolve('refused'),
    largeEnvelopes: new LargeEnvelopes(() => runtime.monotonicMs()),
    ports: {
      ...useCases,
      vault,
      runtime,
      directory,
      overviews: directory,
      deliver: () => Promise.resolve(),
      forgotten: () => Promise.resolve(),
      feed,
      publicUrl: () => 'https://issuer.example',
      personalData: (...sealed) => new KindTables(kinds).personalData(...sealed),
      hasOwnKey: (recordId) => new KindTables(kinds).hasOwnKey(recordId),
      eventTypes: publishedEventsOf(kinds).map(({ type }) => type),
      publishedEvents: publishedEventsOf(kinds),
      passwords: cheapPasswords(),
      signInCounts: newSignInCounts(),
      clientAddress,
      allowPrivateTargets: false,
      unreadableEvent: ({ id }) => void unreadable.push(id),
      ...beside.ports?.(service.actors),
    },
    cluster: composeClusterOf(cluster, service),
    health: composeHealth(
      { metrics: createMetrics(), runtime },
      {
        durable: { node: 'node-1', cluster: null, isDraining: () => false },
        probed: { actors: () => Promise.resolve() },
        detail: () => [{ name: 'ledger', isUp: true, detail: 'reachable' }],
      },
    ),
    ledger: {
      namespace: useCases.namespace,
      genesis: { text: 'g', sha256: 'x', signature: 's' },
      earlier: [],
      signingPublicKey: 'k',
      hasVdrProxy: false,
    },
    sandboxFaces: service.sandboxFaces,
    vdrProxy: null,
    listsCaughtUp: async () => undefined,
    listRebuild: rebuildJob({
      shards: () => [0],
      begin: async () => ({ rebuild: async () => 1, end: async () => undefined }),
    }),
  })
  const people = new Map<string, Caller>()
  const described = [healthRoute(() => true), ...parts.routes]
  const routes = [...described, openApiRoute(described, contentsOf(kinds))]
  const doorOf = (wanted: readonly Route[], requestsInFlightMax = 1_000_000): FrontDoor =>
    createFrontDoor({
      ...parts,
      routes: wanted,
      authenticate: (head, served) => {
        const person = people.get(head.id) ?? administratorIn(head.headers.get('authorization'))
        if (person === undefined) return parts.authenticate(head, served)
        return served.includes(person.kind) ? person : problem('forbidden', 'Not for this caller.')
      },
      clientAddress,
      log: silentLog,
      metrics: createMetrics(),
      accessLog: false,
      requestsInFlightMax,
    })
  const door = doorOf(routes)
  let sent = 0
  const send = async (method: string, target: string, options: SendOptions = {}): Promise<Sent> => {
    const { body, as = '', headers = {} } = options
    const id = `r${++sent}`
    if (typeof as !== 'string') people.set(id, as)
    const [path = '', query = ''] = target.split('?')
    const all = new Map(Object.entries(headers))
    if (typeof as === 'string' && as !== '') all.set('authorization', `Bearer ${as}`)
    if (body !== undefined && !all.has('content-type')) all.set('content-type', 'application/json')
    const bytes = Buffer.from(
      body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
    )
    const head = { id, method, path, query, headers: all, remoteAddress: '' }
    const reply = await door.accept(head).respond(bytes)
    people.delete(id)
    const text = Buffer.from(reply.body).toString()
    const named = Object.entries({ ...reply.headers, ...reply.rate })
    const shown = Object.fromEntries(named.map(([name, value]) => [name, String([value].flat()[0])]))
    const cookies = [reply.headers['Set-Cookie'] ?? []].flat()
    return { status: reply.status, headers: shown, cookies, text, json: jsonOf(text) }
  }
  const keyOf = async (tenant: string): Promise<string> => {
    const made = await createApiKey(useCases, { tenant, label: 'test' })
    if (!('key' in made) || made.key === null) throw new Error('no key was made')
    return made.key
  }
  const close = async () => {
    await feed[Symbol.asyncDispose]()
    await service.close()
    directory[Symbol.dispose]()
  }
  return {
    service,
    cluster,
    directory,
    stream,
    unreadable,
    routes: parts.routes,
    localRoutes: parts.localRoutes,
    served: routes,
    door,
    doorOf,
    send,
    keyOf,
    close,
  }
}

export type ApiOnMemory = Awaited<ReturnType<typeof apiOnMemory>>

export const administrator = (tenantId: string): Caller => ({
  kind: 'member',
  tenantId,
  memberId: 'mem_1',
  role: 'admin',
  // As if the second factor had been shown just now, whenever that is.
  session: { id: 'ses_1', steppedUpAtMs: Number.MAX_SAFE_INTEGER },
})

/** Who has shown the second factor just now, too. */
export const freshOperator: Caller = {
  kind: 'operator',
  operatorId: 'acc_00operator',
  session: { id: 's', steppedUpAtMs: Number.MAX_SAFE_INTEGER },
}

/** For tests over the wire, where a caller can only be said in words. */
const administratorIn = (authorization: string | undefined): Caller | undefined => {
  const [, tenant] = /^Bearer administrator-of-(\S+)$/.exec(authorization ?? '') ?? []
  return tenant === undefined ? undefined : administrator(tenant)
}

const jsonOf = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}
