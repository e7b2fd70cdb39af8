import { defineBenchmark } from './harness/benchmark.ts'
import { interleave } from './harness/rounds.ts'
import { openStage } from './subjects/exchange-stage.ts'
import { openHolders } from './subjects/holders.ts'

/** Until V8 has compiled what both run. */
const WARMUPS = 2

export const benchmark = defineBenchmark({
  about:
    'Processor time of a holder with the SDK per credential and per proof, beside a plain Credo agent with Askar',
  options: {
    exchanges: { type: 'number', default: 32, quick: 4, about: 'credentials, and proofs, of a round' },
    rounds: { type: 'number', default: 7, quick: 2, about: 'rounds, of which the median counts' },
  },
  bars: { cpu_ratio_to_credo: { atMost: 0.8 } },
  async run({ options: { exchanges, rounds }, open, progress, note }) {
    progress('the service starts and publishes its definition')
    const stage = await openStage(open, { engine: 'auto', atOnce: exchanges, publish: true })
    progress('both holders connect with the mediator and with the organisation')
    const { sdk, credo } = await openHolders(open, stage)
    const outcome = await interleave({
      rounds,
      warmups: WARMUPS,
      progress,
      contestants: {
        sdk: () => sdk.measured(exchanges),
        credo: () => credo.measured(exchanges),
      },
    })
    await stage.checkWebhooks()
    note(
      'Of the whole process of the holder, from the first look for messages to the last confirmation, with the',
    )
    note(
      'cryptography of the credentials, which is the same on both sides. Both fetch from the same mediator over',
    )
    note(
      'HTTP (pickup 2.0, four times a second while they wait), keep everything on disk, encrypted, and answer',
    )
    note('offers and requests by themselves. cpu_ratio_to_credo: a credential and a proof together.')
    return {
      cpu_ratio_to_credo: outcome.ratio('sdk', 'credo', 'cpu_ms'),
      credential_ratio: outcome.ratio('sdk', 'credo', 'credential_cpu_ms'),
      proof_ratio: outcome.ratio('sdk', 'credo', 'proof_cpu_ms'),
      sdk_credential_cpu_ms: outcome.median('sdk', 'credential_cpu_ms'),
      credo_credential_cpu_ms: outcome.median('credo', 'credential_cpu_ms'),
      sdk_proof_cpu_ms: outcome.median('sdk', 'proof_cpu_ms'),
      credo_proof_cpu_ms: outcome.median('credo', 'proof_cpu_ms'),
    }
  },
})
