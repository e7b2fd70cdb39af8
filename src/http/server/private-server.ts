import type { Metrics } from '../../telemetry/metrics.ts'
import { problem, problemReply, retryAfter } from '../route/problem.ts'
import { answeredWith } from './answered.ts'
import { startNodeServer } from './node-server.ts'
import {
  type FrontDoor,
  ListenError,
  type Reply,
  type RequestHead,
  type RequestInProgress,
} from './server.ts'

/** The API as the private port serves it. */
export type LocalApi = {
  /** Whether the value of an `Authorization` header is the local credential of this start. */
  readonly accepts: (authorization: string) => boolean
  /** The front door of the public port. */
  readonly door: FrontDoor
}

export type PrivateServerOptions = {
  readonly host: string
  readonly port: number
  readonly metrics: Metrics
  readonly ready: () => boolean
  /** Lines for people beside that, of parts that do not make the service unready. */
  readonly detail?: () => readonly string[]
  /** Null while the service starts or stops. */
  readonly api: () => LocalApi | null
}

export interface PrivateServer extends AsyncDisposable {
  readonly port: number
}

const BODY_MEMORY_BYTES_MAX = 8_388_608
const STARTING_RETRY_MS = 1_000

/**
 * The port that is not public: metrics and live/ready for monitoring, which show no credential, and the routes of the
 * API for the command line, which shows the token of this start.
 */
export const startPrivateServer = async (options: PrivateServerOptions): Promise<PrivateServer> => {
  const { host, port } = options
  const door: FrontDoor = { accept: (head) => monitoring(options, head) ?? local(options.api(), head) }
  const settings = { host, port, tls: null, bodyMemoryBytesMax: BODY_MEMORY_BYTES_MAX }
  return startNodeServer(settings, door).catch((error: unknown) => {
    throw error instanceof ListenError
      ? new Error(`the private port: ${error.message}`, { cause: error })
      : error
  })
}

const monitoring = (
  { ready, detail = () => [], metrics }: PrivateServerOptions,
  { method, path }: RequestHead,
): RequestInProgress | null => {
  if (!MONITORED.includes(path)) return null
  if (method !== 'GET' && method !== 'HEAD') return answeredWith(plain(405, 'GET only\n'))
  if (path === '/live') return answeredWith(plain(200, 'live\n'))
  if (path === '/ready') {
    const lines = (first: string): string => [first, ...detail()].map((line) => `${line}\n`).join('')
    return answeredWith(ready() ? plain(200, lines('ready')) : plain(503, lines('not ready')))
  }
  const { registry } = metrics
  return answeredWith(
    registry.metrics().then(
      (text) => ({ status: 200, headers: { 'Content-Type': registry.contentType }, body: text }),
      () => plain(500, 'metrics could not be collected\n'),
    ),
  )
}

const MONITORED = ['/live', '/ready', '/metrics']

const local = (api: LocalApi | null, head: RequestHead): RequestInProgress => {
  const shown = head.headers.get('authorization')
  if (shown === undefined) return answeredWith(problemReply(WITHOUT_TOKEN))
  if (api === null) return answeredWith(problemReply(NOT_NOW))
  if (!api.accepts(shown)) return answeredWith(problemReply(WRONG_TOKEN))
  return api.door.accept({ ...head, isLocal: true })
}

const WITHOUT_TOKEN = problem(
  'unauthorized',
  'This port has /live, /ready and /metrics; everything else needs the token of the file operator-token.',
)
const WRONG_TOKEN = problem('unauthorized', 'The operator token is not the one of this start.')
const NOT_NOW = problem(
  'unavailable',
  'The service is starting or stopping; try again.',
  retryAfter(STARTING_RETRY_MS),
)

const plain = (status: number, body: string): Reply => ({
  status,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body,
})
