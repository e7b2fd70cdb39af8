// npm run campaign -- NAME [options]: service processes under load that are killed, frozen, or starved of disk.
import { optionRows, parseOptions, UsageError } from '../../bench/harness/options.ts'
import { renderTable } from '../../bench/harness/report.ts'
import { cluster } from './cluster/campaign.ts'
import { deliveries } from './deliveries/campaign.ts'
import { erasures } from './erasures/campaign.ts'
import { faces } from './faces/campaign.ts'
import { flows } from './flows/campaign.ts'
import { hostile } from './hostile/campaign.ts'
import { idempotency } from './idempotency/campaign.ts'
import { diskFull } from './journal/disk-full.ts'
import { kill } from './journal/kill.ts'
import { takeover } from './journal/takeover.ts'
import { mediated } from './mediated/campaign.ts'
import { offers } from './offers/campaign.ts'
import { resend } from './resend/campaign.ts'
import type { Scenario } from './scenario.ts'

const PROBLEMS_SHOWN = 40
const scenarios: Readonly<Record<string, Scenario>> = {
  kill,
  'disk-full': diskFull,
  takeover,
  flows,
  cluster,
  erasures,
  deliveries,
  resend,
  idempotency,
  hostile,
  mediated,
  offers,
  faces,
}
const startedMs = performance.now()

const say = (line: string): void =>
  console.log(`${((performance.now() - startedMs) / 1_000).toFixed(1).padStart(7)} s  ${line}`)

const help = (name: string, { about, options }: Scenario): number => {
  console.log(`${about}\n\n${renderTable(`npm run campaign -- ${name} [options]`, optionRows(options))}`)
  return 0
}

const run = async (name: string, args: readonly string[]): Promise<number> => {
  const scenario = scenarios[name]
  if (scenario === undefined) throw new UsageError(`The campaigns are ${Object.keys(scenarios).join(', ')}.`)
  const { help: isHelp, values } = parseOptions(scenario.options, args)
  if (isHelp) return help(name, scenario)
  console.log(JSON.stringify({ campaign: name, ...values }))
  const { problems, ...report } = await scenario.run(values, say)
  console.log(JSON.stringify({ ...values, ...report, problems: problems.slice(0, PROBLEMS_SHOWN) }, null, 2))
  console.log(`${problems.length} problems`)
  return problems.length === 0 ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const [name = '', ...args] = process.argv.slice(2)
try {
  process.exit(await run(name, args))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exit(2)
}
