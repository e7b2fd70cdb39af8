import { defineBenchmark } from './harness/benchmark.ts'
import { startProcess } from '../tools/harness/module-process.ts'
import type { BodyKind } from './load/large-bodies.ts'

type Service = typeof import('./subjects/watched-front-door.ts')
type Bodies = typeof import('./load/large-bodies.ts')
type Health = typeof import('./load/on-time.ts')

/** The worst last: where it stalls the service, it would stall what is measured after it too. */
const KINDS: Readonly<Record<BodyKind, string>> = {
  image: 'offers with an image of 7,000,000 characters',
  escapes: 'offers with an image full of escaped quotes, 8 MiB',
  envelope: 'messages of strangers with 170,000 properties, 2 MiB',
  keys: 'offers with 600,000 attributes, 8 MiB',
}

export const benchmark = defineBenchmark({
  about:
    'How long the event loop stands still, and GET /v1/health waits, beside the largest bodies there may be',
  options: {
    bodies_per_s: { type: 'number', default: 5, about: 'large bodies in a second' },
    per_s: { type: 'number', default: 200, about: 'GET /v1/health in a second' },
    seconds: { type: 'number', default: 20, quick: 5, about: 'length of each measurement' },
    engine: { type: 'string', default: 'uws', choices: ['uws', 'node'], about: 'HTTP server of the service' },
  },
  bars: Object.fromEntries(
    Object.keys(KINDS).flatMap((kind) => [
      [`${kind}_loop_p999_ms`, { atMost: 50 }],
      [`${kind}_work_p999_ms`, { atMost: 50 }],
      [`${kind}_health_p99_ms`, { atMost: 50 }],
    ]),
  ),
  async run({ options, open, progress, table, note }) {
    const service = await open(
      startProcess<Service>(new URL('./subjects/watched-front-door.ts', import.meta.url), { silent: true }),
    )
    const bodies = await open(startProcess<Bodies>(new URL('./load/large-bodies.ts', import.meta.url)))
    const health = await open(startProcess<Health>(new URL('./load/on-time.ts', import.meta.url)))
    progress('starting the service; a wallet connects, keys are made')
    const environment = { VOUCHSAFE_HTTP_ENGINE: options.engine }
    const { value: ready } = await service.call('start', environment, { keys: 8, connections: 1 })
    const { port, keys, connections } = ready
    const path = '/v1/health'
    const measure = async (durationMs: number) => {
      const { cpuMs } = await service.usage()
      await service.call('watchLoop')
      const waited = (await health.call('run', { port, path, perS: options.per_s, durationMs })).value
      const { value: loop } = await service.call('loopDelay')
      return { ...loop, ...waited, cpuMs: (await service.usage()).cpuMs - cpuMs }
    }
    const durationMs = options.seconds * 1_000
    await measure(2_000)
    progress('without large bodies')
    const alone = await measure(durationMs)
    const rows = []
    const figures: Record<string, number> = {
      alone_loop_p999_ms: alone.p999Ms,
      alone_work_p999_ms: alone.workP999Ms,
      alone_health_p99_ms: alone.p99Ms,
    }
    for (const [kind, about] of Object.entries(KINDS) as [BodyKind, string][]) {
      progress(about)
      const connectionId = connections[0] ?? ''
      const perS = options.bodies_per_s
      await bodies.call('start', { port, kind, keys, connectionId, perS, durationMs })
      const beside = await measure(durationMs)
      const { sent, statuses } = (await bodies.call('stop')).value
      figures[`${kind}_loop_p999_ms`] = beside.p999Ms
      figures[`${kind}_work_p999_ms`] = beside.workP999Ms
      figures[`${kind}_health_p99_ms`] = beside.p99Ms
      rows.push({
        bodies: about,
        answers: JSON.stringify({ sent, ...statuses }),
        'health not 200': beside.failed,
        'loop max ms': beside.maxMs.toFixed(1),
        'work max ms': beside.workMaxMs.toFixed(1),
        'cpu ms per body': ((beside.cpuMs - alone.cpuMs) / sent).toFixed(1),
      })
    }
    table('Large bodies', rows)
    note(
      'Loop: from one look at the event loop to the next. Work: processor time of its thread between two looks,',
    )
    note('which other programs on the machine do not lengthen.')
    note('Health counts from the time at which it was due. Offers come with an Idempotency-Key of their own.')
    return figures
  },
})
