import { defineBenchmark } from './harness/benchmark.ts'
import { startProcess } from '../tools/harness/module-process.ts'

type Service = typeof import('./subjects/front-door.ts')
type Slow = typeof import('./load/slow-clients.ts')
type Others = typeof import('./load/queue-wait.ts')

export const benchmark = defineBenchmark({
  about: 'How long other callers wait for their turn while many connections send a byte now and then',
  options: {
    clients: { type: 'number', default: 1_000, about: 'slow connections at once' },
    byte_every_ms: { type: 'number', default: 1_000, about: 'pause between two bytes of a slow connection' },
    per_s: { type: 'number', default: 200, about: 'requests of the other callers in a second' },
    seconds: { type: 'number', default: 30, quick: 8, about: 'length of each measurement' },
    engine: { type: 'string', default: 'uws', choices: ['uws', 'node'], about: 'HTTP server of the service' },
  },
  bars: { wait_p99_to_service_ratio: { atMost: 2 } },
  async run({ options, open, progress, note }) {
    const service = await open(
      startProcess<Service>(new URL('./subjects/front-door.ts', import.meta.url), { silent: true }),
    )
    const slow = await open(startProcess<Slow>(new URL('./load/slow-clients.ts', import.meta.url)))
    const others = await open(startProcess<Others>(new URL('./load/queue-wait.ts', import.meta.url)))
    progress('starting the service; a wallet connects, keys are made')
    const environment = { VOUCHSAFE_HTTP_ENGINE: options.engine }
    const { value: ready } = await service.call('start', environment, { keys: 100, connections: 8 })
    const { port } = ready
    const requests = ready.keys.map(
      (key, index) =>
        `GET /v1/connections/${ready.connections[index % ready.connections.length]} HTTP/1.1\r\n` +
        `Host: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    )
    const measure = async (durationMs: number) =>
      (await others.call('run', { port, requests, perS: options.per_s, durationMs })).value
    const durationMs = options.seconds * 1_000
    await measure(2_000)
    progress('without slow connections')
    const alone = await measure(durationMs)
    progress(`with ${options.clients} slow connections`)
    const key = ready.keys[0] ?? ''
    await slow.call('start', { port, key, count: options.clients, byteEveryMs: options.byte_every_ms })
    const before = await service.usage()
    const crowded = await measure(durationMs)
    const after = await service.usage()
    const { value: stopped } = await slow.call('stop')
    note(
      'Waiting: from the sending of a request to its turn, on the clock that both processes share, reported by a route',
    )
    note(
      'that this benchmark adds to the service. Service time: the median of an authenticated GET by id without',
    )
    note(
      `slow connections. ${stopped.cutOff} slow connections were cut off by the receive timeout and came again.`,
    )
    return {
      wait_p99_to_service_ratio: crowded.waits.p99Ms / alone.service.p50Ms,
      wait_p50_ms: crowded.waits.p50Ms,
      wait_p99_ms: crowded.waits.p99Ms,
      wait_p99_alone_ms: alone.waits.p99Ms,
      service_p50_ms: alone.service.p50Ms,
      service_p99_ms: alone.service.p99Ms,
      service_p50_crowded_ms: crowded.service.p50Ms,
      service_p99_crowded_ms: crowded.service.p99Ms,
      slow_connected: stopped.connected,
      service_cpu_percent: (after.cpuMs - before.cpuMs) / (durationMs / 100),
    }
  },
})
