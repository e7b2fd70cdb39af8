// npm run campaign -- kill --engine sqlite|cassandra [--kills 50] [--freezes N] [--server-kills N] [--servers 1|3]
import { parseArgs } from 'node:util'
import { type KillOptions, runKillCampaign } from './kill-campaign.ts'
import { cassandraPlace, type Place, sqlitePlace } from './places.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string', default: 'sqlite' },
    kills: { type: 'string', default: '50' },
    freezes: { type: 'string', default: '0' },
    'server-kills': { type: 'string', default: '0' },
    servers: { type: 'string', default: '1' },
    askers: { type: 'string', default: '64' },
    nodes: { type: 'string' },
    'clock-offset-minutes': { type: 'string', default: '0' },
    seed: { type: 'string' },
  },
})

const openPlace = (): Promise<Place> | Place =>
  values.engine === 'sqlite' ? sqlitePlace() : cassandraPlace(Number(values.servers))

const kill = async (): Promise<number> => {
  const options: KillOptions = {
    kills: Number(values.kills),
    freezes: Number(values.freezes),
    serverKills: Number(values['server-kills']),
    askers: Number(values.askers),
    nodes: Number(values.nodes ?? (values.engine === 'sqlite' ? 1 : 2)),
    shardCount: 16,
    clockOffsetMs: Number(values['clock-offset-minutes']) * 60_000,
    seed: Number(values.seed ?? Date.now() % 1_000_000),
  }
  console.log(`seed ${options.seed}, engine ${values.engine}`)
  const place = await openPlace()
  try {
    const report = await runKillCampaign(place, options, (line) => console.log(line))
    console.log(
      JSON.stringify({ engine: values.engine, ...report, problems: report.problems.slice(0, 20) }, null, 2),
    )
    console.log(`${report.problems.length} problems`)
    return report.problems.length === 0 ? 0 : 1
  } finally {
    await place[Symbol.asyncDispose]()
  }
}

const campaigns: Readonly<Record<string, () => Promise<number>>> = { kill }
const campaign = campaigns[positionals[0] ?? '']
if (campaign === undefined) {
  console.log(`Usage: npm run campaign -- ${Object.keys(campaigns).join(' | ')} --engine sqlite|cassandra`)
  process.exit(1)
}
process.exit(await campaign())
