import { fileURLToPath } from 'node:url'
import type { OptionValues } from '../../../bench/harness/options.ts'
import { localRequest } from '../../../src/cli/service-call.ts'
import { startReceiver } from '../../flows/webhook-receiver.ts'
import { onPlace, type Place } from '../../harness/place.ts'
import { untilFound } from '../../harness/waiting.ts'
import { Random } from '../../simulate/random.ts'
import { count, defineScenario, medianAndMost, seedOption } from '../scenario.ts'
import { openDisk } from './disk.ts'
import { Eraser } from './eraser.ts'
import { runHolders } from './holders.ts'
import { judge, judgeStopped } from './judgement.ts'
import { Rounds } from './rounds.ts'
import { STEMS } from './subjects.ts'
import { shownOf } from './verdict.ts'
import { makeWorld, type World } from './world.ts'

const SERVICE = fileURLToPath(new URL('./service-process.ts', import.meta.url))
/** Swept so slowly, in records a second, that the next kill cuts a sweep off. */
const settings = { VOUCHSAFE_RETENTION_RECORDS_PER_SECOND_MAX: '20', VOUCHSAFE_CRYPTO_WORKERS: '1' }
/** A webhook that was on its way at the answer to an erasure has arrived by then, or was cut off. */
const ARRIVED_WITHIN_MS = 2_000

const options = {
  exchanges: count(500, 'in all states, half of which are erased one by one'),
  connections: count(2, 'that are erased with all their exchanges'),
  'of-a-connection': count(1_000, 'exchanges that each of these connections has'),
  kills: count(50, 'of the service'),
  flows: count(16, 'holders with real wallets meanwhile'),
  'at-once': count(3, 'holders at the same time'),
  seed: seedOption,
}
type ErasureOptions = OptionValues<typeof options>

export const erasures = defineScenario({
  about:
    'Exchanges and connections are erased and swept while the service is killed; after each start the API and the disk are asked what is left.',
  options: {
    engine: {
      type: 'string',
      choices: ['embedded', 'cluster'],
      default: 'embedded',
      about: 'SQLite; or Cassandra and Kafka',
    },
    ...options,
  },
  run: ({ engine, ...values }, say) =>
    onPlace(
      async (place) => {
        await place.addLedger()
        if (engine !== 'cluster') return
        await place.addCassandra({ nodes: 1, dataDir: `${place.folder}/cassandra` })
        await place.addKafka({ dataDir: `${place.folder}/kafka` })
      },
      (place) => runErasureCampaign(place, values, say),
    ),
})

const runErasureCampaign = async (place: Place, values: ErasureOptions, say: (line: string) => void) => {
  const startedMs = performance.now()
  const random = new Random(values.seed)
  const bodies = judgeOfBodies()
  const receiver = await startReceiver(() => undefined, Date.now, bodies.arrived)
  place.add('receiver', async () => receiver.close())
  const { world: seeded, phones } = await makeWorld(place, values, random, receiver)
  say(`seeded: ${JSON.stringify(seeded.states)}`)
  const disk = await openDisk(place)
  await disk.rememberKeys()

  const { service, url } = await place.startService(settings, SERVICE)
  const world = movedTo(url, seeded)
  const { tenant } = world.published
  const { key } = await tenant.order('key create', { tenant: tenant.id, label: 'erasures' })
  const eraser = new Eraser({ url, key: String(key) })
  bodies.of(eraser)
  const before = new Map([
    ...(await shownOf(tenant, [...world.kept, ...world.exchanges])),
    ...(await shownOf(world.swept.tenant, world.swept.young)),
    ...(await shownOf(world.sweptLater.tenant, world.sweptLater.young)),
  ])
  const holding = runHolders(world.published, values, phones.phone)
  const rounds = new Rounds({ service, tenant, eraser, disk, random, before, say })
  const half = Math.ceil(values.kills / 2)
  await rounds.run({ ...world, kills: values.kills }, async (round) => {
    if (round === half) await shortenPeriod(place, world.sweptLater.tenant.id)
  })
  const { holdings, problems: ofHolders } = await holding
  say(`${rounds.kills} kills; ${holdings.length} holders are through; asking for the rest`)
  const finishedByThemselves = await rounds.repeatUnanswered()
  say('settling')
  const { erased, problems: ofRecords } = await judge(world, holdings, before, receiver)
  await service.untilReady()
  await service.stop()
  say('reading the journal and the disk')
  const megabytes = disk.megabytes()
  const ofFiles = await judgeStopped(place, world, erased, disk)
  return {
    seconds: Math.round((performance.now() - startedMs) / 1_000),
    kills: rounds.kills,
    startsMs: medianAndMost(service.startsMs),
    states: world.states,
    erased: erased.size,
    ...rounds.report,
    ...eraser.counts,
    slowestAnswerMs: Math.round(eraser.slowestMs),
    finishedByThemselves,
    swept: world.swept.old.length + world.sweptLater.old.length,
    kept: world.kept.length,
    holders: holdings.length,
    events: receiver.events.length,
    deliveries: receiver.taken.deliveries,
    megabytes,
    problems: [
      ...eraser.problems,
      ...rounds.problems,
      ...bodies.problems,
      ...ofHolders,
      ...ofRecords,
      ...service.failures.map((failure) => `the service: ${failure}`),
      ...ofFiles,
    ],
  }
}

/** A webhook must not show what was erased before it was sent. */
const judgeOfBodies = () => {
  const problems: string[] = []
  let eraser: Eraser | null = null
  return {
    problems,
    of: (asking: Eraser): void => {
      eraser = asking
    },
    arrived: (body: string): void => {
      if (eraser === null || !body.includes(STEMS.erased)) return
      const due = Date.now() - ARRIVED_WITHIN_MS
      for (const [id, { value }] of eraser.answered)
        if ((eraser.answeredAtMs.get(id) ?? due) < due && body.includes(value))
          problems.push(`a webhook showed ${id} after its erasure`)
    },
  }
}

/** The same organisations at the address of the service that is killed. */
const movedTo = (url: string, world: World): World => ({
  ...world,
  published: { ...world.published, tenant: world.published.tenant.at(url) },
  swept: { ...world.swept, tenant: world.swept.tenant.at(url) },
  sweptLater: { ...world.sweptLater, tenant: world.sweptLater.tenant.at(url) },
})

/** As a person of the organisation does it; the service may be away at that moment. */
const shortenPeriod = async ({ dataFolder }: Place, organisation: string): Promise<void> => {
  const sent = { organisation, body: { retentionDays: 1 } }
  const shortened = async (): Promise<boolean> => {
    const request = localRequest(dataFolder, 'PUT', '/v1/data-retention', sent)
    const response = request === null ? null : await fetch(request).catch(() => null)
    return response?.status === 200
  }
  const otherwise = () => new Error('the period could not be shortened')
  await untilFound(shortened, { limitMs: 60_000, everyMs: 200, otherwise })
}
