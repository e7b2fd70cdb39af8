import { DefinitionGenerator } from '../../src/anoncreds/definition-generator.ts'
import type { BenchmarkContext, Figures } from '../harness/benchmark.ts'
import type { OptionValues } from '../harness/options.ts'
import { type ModuleProcess, startProcess } from '../../tools/harness/module-process.ts'
import { interleave } from '../harness/rounds.ts'
import type { exchangeOptions } from './exchange-options.ts'
import { costsOf, readProfile } from './profile-costs.ts'
import { ATTRIBUTES, REVEALED, values } from './exchange-flows.ts'
import { type ExchangeStage, openStage } from './exchange-stage.ts'

type Bare = typeof import('../baselines/anoncreds-calls.ts')

export type Subject = {
  readonly bare: 'issue' | 'verify'
  readonly prepare?: (stage: ExchangeStage, connections: readonly string[]) => Promise<void>
  readonly exchange: (stage: ExchangeStage, connections: readonly string[]) => Promise<void>
}

const IDLE_SECONDS = 5
/** Bare calls of a round: enough for a steady mean, and no more. */
const BARE_CALLS_MAX = 60
/** Until about a thousand exchanges V8 is still compiling the service, which is part of starting it. */
const WARMUPS = 4

/** Complete exchanges of the service, in turn with the bare calls that a program without a service would make. */
export const besideBare = async (
  { options, open, progress, note, table }: BenchmarkContext<OptionValues<typeof exchangeOptions>>,
  subject: Subject,
): Promise<Figures> => {
  const { engine, exchanges, at_once: atOnce, wave, profile } = options
  progress('the service starts and publishes its definition')
  const stage = await openStage(open, { engine, atOnce, wave, publish: true })
  const bareFile = new URL('../baselines/anoncreds-calls.ts', import.meta.url)
  const [own, same] = [await open(startProcess<Bare>(bareFile)), await open(startProcess<Bare>(bareFile))]
  progress('the bare issuers make their keys')
  await prepareBare(own, null)
  await prepareBare(same, await keysLike(engine))
  progress(`${exchanges} wallets connect`)
  const connections = await stage.connect(exchanges)
  await subject.prepare?.(stage, connections)
  const bareCalls = Math.min(exchanges, BARE_CALLS_MAX)
  const bare = (who: ModuleProcess<Bare>) => async () => ({
    cpu_ms: (await who.call(subject.bare, bareCalls)).value,
  })
  const outcome = await interleave({
    rounds: options.rounds,
    warmups: WARMUPS,
    progress,
    contestants: {
      service: async (round) => {
        const sampled = profile !== '' && round === options.rounds - 1
        const { cpuMs, wallMs } = await stage.measured(
          () => subject.exchange(stage, connections),
          sampled ? profile : null,
        )
        return { cpu_ms: cpuMs / exchanges, per_s: exchanges / (wallMs / 1_000) }
      },
      bare: bare(same),
      bare_own_keys: bare(own),
    },
  })
  const idle = await stage.idleMsPerS(IDLE_SECONDS)
  await stage.checkWebhooks()
  if (profile !== '')
    table(
      'Main thread, ms per exchange of the last round, by the nearest part on the stack',
      costRows(profile, exchanges),
    )
  note(
    'service: processor time of the whole service per exchange, from the API call to the last webhook taken.',
  )
  note('bare: libanoncreds on a definition made as the service makes its own; bare_own_keys: on one that')
  note('libanoncreds made, whose numbers are longer. Wallets and tenant have processes of their own.')
  note(`Before it ${WARMUPS} rounds (${WARMUPS * exchanges} exchanges) ran on either side that do not count.`)
  return {
    cpu_ratio_to_bare: outcome.ratio('service', 'bare', 'cpu_ms'),
    cpu_ratio_to_bare_own_keys: outcome.ratio('service', 'bare_own_keys', 'cpu_ms'),
    service_cpu_ms: outcome.median('service', 'cpu_ms'),
    bare_cpu_ms: outcome.median('bare', 'cpu_ms'),
    bare_own_keys_cpu_ms: outcome.median('bare_own_keys', 'cpu_ms'),
    idle_cpu_ms_per_s: idle,
    exchanges_per_s: outcome.median('service', 'per_s'),
  }
}

const prepareBare = (bare: ModuleProcess<Bare>, keys: Parameters<Bare['prepare']>[1]) => {
  const above = { name: 'expiresAt', bound: Math.floor(Date.now() / 1_000) }
  return bare.call('prepare', { values: values(), revealed: REVEALED, above }, keys)
}

const ROWS_MAX = 10

const costRows = (profile: string, exchanges: number) =>
  costsOf(readProfile(profile), exchanges)
    .slice(0, ROWS_MAX)
    .map(({ part, ms, most }) => ({ part, ms: ms.toFixed(2), most }))

/** Keys made as the service makes them: numbers of the same length. */
const keysLike = async (engine: 'auto' | 'native' | 'library' | 'compare') => {
  const generator = new DefinitionGenerator({ engine, queueMax: 1, timeoutMs: 120_000 })
  try {
    const order = { schemaId: 'did:example:issuer/schema', issuerId: 'did:example:issuer', tag: 'default' }
    return (await generator.generate('bench', { ...order, attributes: ATTRIBUTES })).definition
  } finally {
    await generator[Symbol.asyncDispose]()
  }
}
