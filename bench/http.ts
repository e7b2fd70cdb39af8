import { defineBenchmark, type Figures } from './harness/benchmark.ts'
import { type ModuleProcess, startProcess } from '../tools/harness/module-process.ts'
import { interleave } from './harness/rounds.ts'

type Service = typeof import('./subjects/front-door.ts')
type Echo = typeof import('./baselines/uws-echo.ts')
type Journal = typeof import('./subjects/durable-host.ts')
type Vault = typeof import('./subjects/vault.ts')
type Load = typeof import('./load/http.ts')
type HttpLoad = import('./load/http.ts').HttpLoad

const BODY = JSON.stringify({ multiUse: false, alias: 'Counter 7', externalId: 'customer-4711' })

const NOTES = [
  'Ratios per second of processor time of the whole process, all its threads: the load generator (apart, in its',
  'own process) has the other core, and on two cores the slower of the two would decide otherwise.',
  'The load generator of the gets never sleeps: the slower of two servers alone would pay for waking it with each',
  'answer. Where it sleeps is reported as well, and it does at the same rate and for posts.',
  'At the same rate: both servers are offered as many gets, so that p99 is not that of a full queue.',
  'The access log is on and thrown away; every API key is looked up at its owner.',
  'Storage: a durable data key and then a durable event, as many at once, from within a process.',
]

const head = (line: string, key: string): string =>
  `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n`
const getOf = (key: string, id: string): string => `${head(`GET /v1/connections/${id}`, key)}\r\n`
const postOf = (key: string): string =>
  `${head('POST /v1/connections/invitations', key)}Content-Type: application/json\r\n` +
  `Content-Length: ${Buffer.byteLength(BODY)}\r\n\r\n${BODY}`

export const benchmark = defineBenchmark({
  about:
    'An authenticated GET by id and a durable POST beside a bare server that answers with the same bytes',
  options: {
    connections: { type: 'number', default: 64, about: 'keep-alive connections of the load generator' },
    keys: { type: 'number', default: 1_000, quick: 100, about: 'API keys, used in turn' },
    records: {
      type: 'number',
      default: 32,
      quick: 8,
      about: 'records with sealed fields, asked for in turn',
    },
    rounds: { type: 'number', default: 7, quick: 3, about: 'rounds, of which the median counts' },
    seconds: { type: 'number', default: 2, quick: 0.5, about: 'length of a round' },
    same_rate: {
      type: 'number',
      default: 4_000,
      about: 'gets per second where both servers have the same to do',
    },
    engine: { type: 'string', default: 'uws', choices: ['uws', 'node'], about: 'HTTP server of the service' },
  },
  bars: ({ engine }) => (engine === 'uws' ? { get_ratio: { atLeast: 0.35 } } : {}),
  async run({ options, open, progress, note }) {
    const service = await open(
      startProcess<Service>(new URL('./subjects/front-door.ts', import.meta.url), { silent: true }),
    )
    const load = await open(startProcess<Load>(new URL('./load/http.ts', import.meta.url)))
    progress('starting the service; a wallet connects, keys are made')
    const { keys, records, connections, engine } = options
    const environment = { VOUCHSAFE_HTTP_ENGINE: engine }
    const wanted = { keys, connections: records }
    const { value: ready } = await service.call('start', environment, wanted)
    const gets = ready.keys.map((key, index) =>
      getOf(key, ready.connections[index % ready.connections.length] ?? ''),
    )
    const posts = ready.keys.map(postOf)

    const measure = meter(load, connections, options.seconds)
    const awake = meter(load, connections, options.seconds, { isAwake: true })
    const gently = meter(load, connections, options.seconds, { perS: options.same_rate })
    const echoes = async (method: 'GET' | 'POST', request: string) => {
      const echo = await open(startProcess<Echo>(new URL('./baselines/uws-echo.ts', import.meta.url)))
      const { value: port } = await echo.call('start', await answerOf(ready.port, method, request))
      return { echo, port }
    }
    const getEcho = await echoes('GET', gets[0] ?? '')
    const postEcho = await echoes('POST', posts[0] ?? '')
    const journal = await open(startProcess<Journal>(new URL('./subjects/durable-host.ts', import.meta.url)))
    await journal.call('start', null)
    const vault = await open(startProcess<Vault>(new URL('./subjects/vault.ts', import.meta.url)))
    const outcome = await interleave({
      rounds: options.rounds,
      progress,
      contestants: {
        get: awake(service, ready.port, gets),
        echo_get: awake(getEcho.echo, getEcho.port, gets),
        get_sleeping: measure(service, ready.port, gets),
        echo_get_sleeping: measure(getEcho.echo, getEcho.port, gets),
        get_gently: gently(service, ready.port, gets),
        echo_get_gently: gently(getEcho.echo, getEcho.port, gets),
        post: measure(service, ready.port, posts),
        echo_post: measure(postEcho.echo, postEcho.port, posts),
        // What every POST waits for, one after the other, without anything of HTTP: a durable key, a durable event.
        storage: async () => {
          const durationMs = options.seconds * 500
          const { value: keysMade } = await vault.call('createAndSeal', connections, durationMs)
          const { value: asked } = await journal.call('run', connections, durationMs)
          const per_s = 1 / (1 / keysMade.perS + 1 / asked.perS)
          return { per_s, keys_per_s: keysMade.perS, asks_per_s: asked.perS }
        },
      },
    })
    const heapOf = async (requests: readonly string[]): Promise<number> => {
      await service.call('countHeap')
      const durationMs = options.seconds * 1_000
      const { value } = await load.call('run', { port: ready.port, durationMs, connections, requests })
      return (await service.call('allocatedBytes')).value / value.answered
    }
    for (const line of NOTES) note(line)
    return { ...figuresOf(outcome), get_heap_bytes: await heapOf(gets), post_heap_bytes: await heapOf(posts) }
  },
})

/** What one server did in one round. */
const meter =
  (
    load: ModuleProcess<Load>,
    connections: number,
    seconds: number,
    manner: Pick<HttpLoad, 'perS' | 'isAwake'> = {},
  ) =>
  (server: ModuleProcess<unknown>, port: number, requests: readonly string[]) =>
  async (): Promise<Measured> => {
    const before = await server.usage()
    const { value } = await load.call('run', {
      port,
      durationMs: seconds * 1_000,
      connections,
      requests,
      ...manner,
    })
    const after = await server.usage()
    if (Object.keys(value.statuses).some((status) => !status.startsWith('2')))
      throw new Error(`answers: ${JSON.stringify(value.statuses)}`)
    const { p50_ms, p99_ms } = value.latency
    const cpuS = (after.cpuMs - before.cpuMs) / 1_000
    return { per_s: value.perS, per_cpu_s: value.answered / cpuS, p50_ms, p99_ms }
  }

type Part =
  | 'get'
  | 'echo_get'
  | 'get_sleeping'
  | 'echo_get_sleeping'
  | 'get_gently'
  | 'echo_get_gently'
  | 'post'
  | 'echo_post'
  | 'storage'
type Outcome = {
  median(part: Part, figure: string): number
  ratio(part: Part, other: Part, figure: string): number
}

const figuresOf = (outcome: Outcome): Figures => ({
  get_ratio: outcome.ratio('get', 'echo_get', 'per_cpu_s'),
  get_ratio_client_sleeping: outcome.ratio('get_sleeping', 'echo_get_sleeping', 'per_cpu_s'),
  get_ratio_at_same_rate: outcome.ratio('get_gently', 'echo_get_gently', 'per_cpu_s'),
  gets_per_cpu_s_at_same_rate: outcome.median('get_gently', 'per_cpu_s'),
  get_p99_ms_at_same_rate: outcome.median('get_gently', 'p99_ms'),
  get_ratio_by_the_clock: outcome.ratio('get', 'echo_get', 'per_s'),
  gets_per_s: outcome.median('get', 'per_s'),
  gets_per_cpu_s: outcome.median('get', 'per_cpu_s'),
  echo_gets_per_cpu_s: outcome.median('echo_get', 'per_cpu_s'),
  get_p50_ms: outcome.median('get', 'p50_ms'),
  get_p99_ms: outcome.median('get', 'p99_ms'),
  posts_per_s: outcome.median('post', 'per_s'),
  storage_per_s: outcome.median('storage', 'per_s'),
  storage_keys_per_s: outcome.median('storage', 'keys_per_s'),
  storage_asks_per_s: outcome.median('storage', 'asks_per_s'),
  post_to_storage_ratio: outcome.ratio('post', 'storage', 'per_s'),
  echo_posts_per_s: outcome.median('echo_post', 'per_s'),
  post_to_echo_ratio: outcome.ratio('post', 'echo_post', 'per_s'),
  posts_per_cpu_s: outcome.median('post', 'per_cpu_s'),
  post_p50_ms: outcome.median('post', 'p50_ms'),
  post_p99_ms: outcome.median('post', 'p99_ms'),
})

type Measured = {
  readonly per_s: number
  readonly per_cpu_s: number
  readonly p50_ms: number
  readonly p99_ms: number
}

const BY_THE_SERVER = new Set(['connection', 'content-length', 'date', 'keep-alive', 'uwebsockets'])

/** What the bare server answers: the very bytes of the service, less the lines that every server adds by itself. */
async function answerOf(port: number, method: 'GET' | 'POST', request: string) {
  const [, path = '', key = ''] = /^\S+ (\S+) [\s\S]*Bearer (\S+)/.exec(request) ?? []
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(method === 'POST' && { 'Content-Type': 'application/json' }),
    },
    ...(method === 'POST' && { body: BODY }),
  })
  const headers = [...response.headers].filter(([name]) => !BY_THE_SERVER.has(name))
  const status = `${response.status} ${response.statusText}`
  return { body: await response.text(), headers, ...(response.status !== 200 && { status }) }
}
