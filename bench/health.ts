import { defineBenchmark } from './harness/benchmark.ts'
import { type ModuleProcess, startProcess } from '../tools/harness/module-process.ts'
import { interleave } from './harness/rounds.ts'

type Service = typeof import('./subjects/service.ts')
type UwsEcho = typeof import('./baselines/uws-echo.ts')
type NodeEcho = typeof import('./baselines/node-echo.ts')
type Load = typeof import('./load/http.ts')

const request = 'GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'

export const benchmark = defineBenchmark({
  about: 'GET /v1/health beside bare servers that answer with the same bytes',
  options: {
    connections: { type: 'number', default: 64, about: 'keep-alive connections of the load generator' },
    rounds: { type: 'number', default: 7, quick: 3, about: 'rounds, of which the median counts' },
    seconds: { type: 'number', default: 2, quick: 0.5, about: 'length of a round' },
    engine: { type: 'string', default: 'uws', choices: ['uws', 'node'], about: 'HTTP server of the service' },
  },
  bars: { get_ratio: { atLeast: 0.35 } },
  async run({ options, open, progress, note }) {
    const service = await open(
      startProcess<Service>(new URL('./subjects/service.ts', import.meta.url), { silent: true }),
    )
    const uws = await open(startProcess<UwsEcho>(new URL('./baselines/uws-echo.ts', import.meta.url)))
    const node = await open(startProcess<NodeEcho>(new URL('./baselines/node-echo.ts', import.meta.url)))
    const load = await open(startProcess<Load>(new URL('./load/http.ts', import.meta.url)))

    const measure = (server: ModuleProcess<unknown>, port: number) => async () => {
      const { connections } = options
      const durationMs = options.seconds * 1_000
      const before = await server.usage()
      const { value, cpuMs } = await load.call('run', { port, durationMs, connections, requests: [request] })
      const after = await server.usage()
      if (value.statuses['200'] !== value.answered)
        throw new Error(`answers: ${JSON.stringify(value.statuses)}`)
      const serverCpuMs = after.cpuMs - before.cpuMs
      return {
        gets_per_s: value.perS,
        gets_per_cpu_s: value.answered / (serverCpuMs / 1_000),
        load_cpu_us: (cpuMs * 1_000) / value.answered,
        p99_ms: value.latency.p99_ms,
      }
    }

    const servicePort = (await service.call('start', { VOUCHSAFE_HTTP_ENGINE: options.engine })).value
    const answer = await answerOf(servicePort)
    const outcome = await interleave({
      rounds: options.rounds,
      progress,
      contestants: {
        service: measure(service, servicePort),
        uws: measure(uws, (await uws.call('start', answer)).value),
        node: measure(node, (await node.call('start', answer)).value),
      },
    })
    note(
      'Per second of processor time, because the load generator (apart, in its own process) may be the slower.',
    )
    note('The access log is on and thrown away.')
    return {
      get_ratio: outcome.ratio('service', 'uws', 'gets_per_cpu_s'),
      get_ratio_to_node: outcome.ratio('service', 'node', 'gets_per_cpu_s'),
      service_gets_per_cpu_s: outcome.median('service', 'gets_per_cpu_s'),
      uws_gets_per_cpu_s: outcome.median('uws', 'gets_per_cpu_s'),
      node_gets_per_cpu_s: outcome.median('node', 'gets_per_cpu_s'),
      service_gets_per_s: outcome.median('service', 'gets_per_s'),
      service_p99_ms: outcome.median('service', 'p99_ms'),
      uws_p99_ms: outcome.median('uws', 'p99_ms'),
      load_cpu_us: outcome.median('service', 'load_cpu_us'),
    }
  },
})

/** What the baselines answer: the very bytes of the service, less the lines that every server adds by itself. */
async function answerOf(port: number): Promise<{ body: string; headers: [string, string][] }> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/health`)
  const own = new Set([
    'connection',
    'content-length',
    'date',
    'keep-alive',
    'transfer-encoding',
    'uwebsockets',
  ])
  return { body: await response.text(), headers: [...response.headers].filter(([name]) => !own.has(name)) }
}
