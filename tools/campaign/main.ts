// npm run campaign -- kill --engine sqlite|cassandra [--kills 50] [--freezes N] [--server-kills N] [--servers 1|3]
// npm run campaign -- disk-full --engine sqlite|cassandra   (mounts a small file system, so it needs root)
// npm run campaign -- takeover --engine sqlite|cassandra
import { parseArgs } from 'node:util'
import { runDiskFull } from './disk-full.ts'
import { type KillOptions, runKillCampaign } from './kill-campaign.ts'
import { cassandraPlace, type Place, sqlitePlace } from './places.ts'
import { measureTakeover } from './takeover-time.ts'

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

const diskFull = async (): Promise<number> => {
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const report = await runDiskFull(values.engine, seed, (line) => console.log(line))
  console.log(
    JSON.stringify({ engine: values.engine, ...report, problems: report.problems.slice(0, 20) }, null, 2),
  )
  console.log(`${report.problems.length} problems`)
  return report.problems.length === 0 ? 0 : 1
}

const takeover = async (): Promise<number> => {
  const place = await openPlace()
  try {
    const report = await measureTakeover(place)
    console.log(JSON.stringify({ engine: values.engine, ...report }, null, 2))
    return Math.max(...report.firstActorMs) <= TAKEOVER_LIMIT_MS ? 0 : 1
  } finally {
    await place[Symbol.asyncDispose]()
  }
}

const TAKEOVER_LIMIT_MS = 5_000
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const campaigns: Readonly<Record<string, () => Promise<number>>> = { kill, 'disk-full': diskFull, takeover }
const campaign = campaigns[positionals[0] ?? '']
if (campaign === undefined) {
  console.log(`Usage: npm run campaign -- ${Object.keys(campaigns).join(' | ')} --engine sqlite|cassandra`)
  process.exit(1)
}
process.exit(await campaign())
