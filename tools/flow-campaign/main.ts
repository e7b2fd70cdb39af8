// npm run flow:campaign -- --engine embedded|cluster|sandbox [--flows 100] [--kills 20] [--at-once 20] [--phones 5] [--seed N]
// sandbox: embedded, and the ledger is the service's own, which dies with it.
import { parseArgs } from 'node:util'
import { runFlowCampaign } from './campaign.ts'
import { clusterPlace, embeddedPlace, sandboxPlace, type ServicePlace } from './places.ts'

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'embedded' },
    flows: { type: 'string', default: '100' },
    kills: { type: 'string', default: '20' },
    'at-once': { type: 'string', default: '20' },
    phones: { type: 'string', default: '5' },
    seed: { type: 'string' },
  },
})

const { engine } = values
const places = { embedded: embeddedPlace, cluster: clusterPlace, sandbox: sandboxPlace }
const openPlace = places[engine as keyof typeof places] as (() => Promise<ServicePlace>) | undefined
if (openPlace === undefined) {
  console.error('--engine is embedded, cluster or sandbox.')
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const startedMs = performance.now()
const say = (line: string): void =>
  console.log(`${((performance.now() - startedMs) / 1_000).toFixed(1).padStart(7)} s  ${line}`)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
console.log(`seed ${seed}, engine ${engine}`)
const place = await openPlace()
try {
  const options = {
    flows: Number(values.flows),
    kills: Number(values.kills),
    atOnce: Number(values['at-once']),
    phoneProcesses: Number(values.phones),
    seed,
  }
  const report = await runFlowCampaign(place, options, say)
  const problems = report.problems.slice(0, 40)
  console.log(JSON.stringify({ engine, seed, ...report, problems }, null, 2))
  console.log(`${report.problems.length} problems`)
  process.exitCode = report.problems.length === 0 ? 0 : 1
} finally {
  await place.close()
}
process.exit()
