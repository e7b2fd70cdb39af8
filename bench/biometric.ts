import { startProcess } from '../tools/harness/module-process.ts'
import { defineBenchmark } from './harness/benchmark.ts'
import { interleave } from './harness/rounds.ts'
import { openStage } from './subjects/exchange-stage.ts'

type Faces = typeof import('./load/faces.ts')

const CPU_RATIO_MAX = 1.8
const USUAL_IMAGE_BYTES = 200_000
const LARGE_IMAGE_BYTES = 5_000_000
/** Large images take their time to send, and are few. */
const LARGE_SHARE = 8
const WARMUPS = 3

export const benchmark = defineBenchmark({
  about: 'Processor time of an issuance behind a face check beside one without, on the same service',
  options: {
    exchanges: { type: 'number', default: 128, quick: 32, about: 'issuances of a round' },
    rounds: { type: 'number', default: 5, quick: 2, about: 'rounds, of which the median counts' },
    at_once: { type: 'number', default: 32, about: 'issuances under way at a time' },
    profile: { type: 'string', default: '', about: 'file for a processor profile of the last gated round' },
  },
  bars: { gated_cpu_ratio: { atMost: CPU_RATIO_MAX } },
  run: async ({ options, open, progress, note }) => {
    const { exchanges, rounds, at_once: atOnce, profile } = options
    const faces = await open(startProcess<Faces>(new URL('./load/faces.ts', import.meta.url)))
    const { url, policy } = (await faces.call('start')).value
    progress('the service starts and publishes its definition')
    const stage = await openStage(open, {
      engine: 'auto',
      atOnce,
      publish: true,
      environment: { VOUCHSAFE_AWS_URL: url, VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true' },
    })
    await stage.parts.wallets.call('captureAt', url)
    const connections = await stage.connect(exchanges)
    const gate = (isGated: boolean) => stage.gate(policy, isGated)
    const contestant = (bytes: number | null, count: number) => async (round: number) => {
      await gate(bytes !== null)
      const referenceImage = bytes === null ? null : (await faces.call('image', bytes)).value
      const isProfiled = profile !== '' && bytes === USUAL_IMAGE_BYTES && round === rounds - 1
      const some = connections.slice(0, count)
      const { cpuMs, wallMs } = await stage.measured(
        () => stage.issue(some, referenceImage),
        isProfiled ? profile : null,
      )
      return { cpu_ms: cpuMs / count, per_s: count / (wallMs / 1_000) }
    }
    const few = Math.max(4, Math.floor(exchanges / LARGE_SHARE))
    const outcome = await interleave({
      rounds,
      warmups: WARMUPS,
      progress,
      contestants: {
        plain: contestant(null, exchanges),
        gated: contestant(USUAL_IMAGE_BYTES, exchanges),
        gated_large: contestant(LARGE_IMAGE_BYTES, few),
      },
    })
    await stage.checkWebhooks()
    note(
      'Processor time of the whole service per issuance, from the offer to the last webhook taken; AWS as it is',
    )
    note(
      'played, wallets and tenant have processes of their own. gated: an image of 200 KB, one attempt that passes.',
    )
    return {
      gated_cpu_ratio: outcome.ratio('gated', 'plain', 'cpu_ms'),
      plain_cpu_ms: outcome.median('plain', 'cpu_ms'),
      gated_cpu_ms: outcome.median('gated', 'cpu_ms'),
      gated_large_cpu_ms: outcome.median('gated_large', 'cpu_ms'),
      gated_per_s: outcome.median('gated', 'per_s'),
    }
  },
})
