import { defineBenchmark } from './harness/benchmark.ts'
import { type BenchProcess, startProcess } from './harness/process.ts'
import { interleave } from './harness/rounds.ts'

type Echo = typeof import('./baselines/uws-echo.ts')
type Load = typeof import('./load/http.ts')

const answer = { body: '{"status":"ok"}', headers: [['Content-Type', 'application/json']] } as const
const request = 'GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'

export const benchmark = defineBenchmark({
  about: 'What one core can serve at all: a bare uWebSockets.js echo beside a bare node:http echo',
  options: {
    connections: { type: 'number', default: 64, about: 'keep-alive connections of the load generator' },
    rounds: { type: 'number', default: 7, quick: 3, about: 'rounds, of which the median counts' },
    seconds: { type: 'number', default: 3, quick: 0.5, about: 'length of a round' },
  },
  bars: { cpu_ratio: { atMost: 0.75 } },
  async run({ options, open, progress, note }) {
    const uws = await open(startProcess<Echo>(new URL('./baselines/uws-echo.ts', import.meta.url)))
    const node = await open(startProcess<Echo>(new URL('./baselines/node-echo.ts', import.meta.url)))
    const load = await open(startProcess<Load>(new URL('./load/http.ts', import.meta.url)))
    const measure = (server: BenchProcess<Echo>, port: number) => async () => {
      const before = await server.usage()
      const { value, cpuMs } = await load.call('run', {
        port,
        connections: options.connections,
        durationMs: options.seconds * 1_000,
        requests: [request],
      })
      const after = await server.usage()
      return {
        gets_per_s: value.perS,
        server_cpu_us: ((after.cpuMs - before.cpuMs) * 1_000) / value.answered,
        load_cpu_us: (cpuMs * 1_000) / value.answered,
        p99_ms: value.latency.p99_ms,
      }
    }
    const contestants = {
      uws: measure(uws, (await uws.call('start', answer)).value),
      node: measure(node, (await node.call('start', answer)).value),
    }
    const outcome = await interleave({ rounds: options.rounds, progress, contestants })
    note('Processor time is per request; the load generator has its own process and is not in server_cpu_us.')
    return {
      cpu_ratio: outcome.ratio('uws', 'node', 'server_cpu_us'),
      uws_gets_per_s: outcome.median('uws', 'gets_per_s'),
      node_gets_per_s: outcome.median('node', 'gets_per_s'),
      uws_server_cpu_us: outcome.median('uws', 'server_cpu_us'),
      node_server_cpu_us: outcome.median('node', 'server_cpu_us'),
      load_cpu_us: outcome.median('uws', 'load_cpu_us'),
    }
  },
})
