// npm run idempotency:campaign -- [--keys 1000] [--callers 100] [--keys-at-once 4] [--kills 0] [--seed N]
import { parseArgs } from 'node:util'
import { embeddedPlace } from '../flow-campaign/places.ts'
import { runIdempotencyCampaign } from './campaign.ts'

const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '1000' },
    callers: { type: 'string', default: '100' },
    'keys-at-once': { type: 'string', default: '4' },
    kills: { type: 'string', default: '0' },
    seed: { type: 'string' },
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const seed = Number(values.seed ?? Date.now() % 1_000_000)
const options = {
  keys: Number(values.keys),
  callers: Number(values.callers),
  keysAtOnce: Number(values['keys-at-once']),
  kills: Number(values.kills),
  seed,
}
console.log(`seed ${seed}`)
const place = await embeddedPlace()
try {
  const report = await runIdempotencyCampaign(place, options, (line) => console.log(line))
  console.log(JSON.stringify({ ...options, ...report, problems: report.problems.slice(0, 40) }, null, 2))
  console.log(`${report.problems.length} problems`)
  process.exitCode = report.problems.length === 0 ? 0 : 1
} finally {
  await place.close()
}
process.exit()
