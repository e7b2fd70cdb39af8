import type { OptionValues } from '../../../bench/harness/options.ts'
import {
  EVENTS_OF_A_FLOW,
  wrongBodies,
  wrongHistories,
  wrongLists,
  wrongStates,
  wrongWallets,
} from '../../flows/audit.ts'
import { type Flow, runFlow } from '../../flows/flow.ts'
import { startPhones } from '../../flows/phones.ts'
import type { PhoneReport } from '../../flows/phones-process.ts'
import { type Published, publishForFlows } from '../../flows/publish.ts'
import { Tenant } from '../../flows/tenant.ts'
import { startReceiver } from '../../flows/webhook-receiver.ts'
import { onPlace, type Place } from '../../harness/place.ts'
import { untilFound } from '../../harness/waiting.ts'
import { Random } from '../../simulate/random.ts'
import { count, defineScenario, inLanes, medianAndMost, seedOption } from '../scenario.ts'
import { Kills } from './kills.ts'

const PATIENCE_MS = 10 * 60_000
const DELIVERED_LIMIT_MS = 180_000

const options = {
  flows: count(100, 'holders that connect, receive a credential and prove it'),
  kills: count(20, 'of the service'),
  'at-once': count(20, 'flows at the same time'),
  phones: count(5, 'processes for wallets'),
  seed: seedOption,
}
type FlowOptions = OptionValues<typeof options>

export const flows = defineScenario({
  about:
    'Whole flows with real wallets while the service is killed; then all sides are asked what they have.',
  options: {
    engine: {
      type: 'string',
      choices: ['embedded', 'cluster', 'sandbox'],
      default: 'embedded',
      about: 'SQLite; Cassandra and Kafka; or SQLite with a ledger that dies with the service',
    },
    ...options,
  },
  run: ({ engine, ...values }, say) =>
    onPlace(
      async (place) => {
        await (engine === 'sandbox' ? place.addOwnLedger() : place.addLedger())
        if (engine !== 'cluster') return
        await place.addCassandra({ nodes: 1 })
        await place.addKafka()
      },
      (place) => runFlowCampaign(place, values, say),
    ),
})

export const runFlowCampaign = async (place: Place, values: FlowOptions, say: (line: string) => void) => {
  const startedMs = performance.now()
  const kills = new Kills(new Random(values.seed), values)
  const receiver = await startReceiver(() => kills.noticed())
  place.add('receiver', async () => receiver.close())
  const phones = startPhones(values.phones, () => kills.noticed())
  place.add('phones', () => phones.close())
  const { service, url } = await place.startService()
  const tenant = new Tenant({ url, dataFolder: place.dataFolder, patienceMs: PATIENCE_MS })
  const published = await publishForFlows(tenant, receiver)
  say('published; the flows begin')
  const killing = kills.run(service, say)
  const { done, problems } = await runAll(published, values, phones.phone, say)
  await killing
  say(`${done.length} flows over, ${kills.done} kills; waiting for the last webhooks`)
  const { events, refused, taken } = receiver
  const areDelivered = () => events.length >= done.length * EVENTS_OF_A_FLOW
  // The audit names the webhooks that are missing.
  await untilFound(areDelivered, { limitMs: DELIVERED_LIMIT_MS, otherwise: () => new Error('late') }).catch(
    () => undefined,
  )
  const reports = new Map<number, PhoneReport>()
  for (const { number } of done) reports.set(number, await phones.phone(number).report())
  problems.push(
    ...(await wrongStates(done, tenant)),
    ...wrongHistories(done, events),
    ...wrongWallets(done, reports),
    ...(await wrongLists(done, tenant)),
    ...refused.map((reason) => `a webhook was refused: ${reason}`),
  )
  const defects = tenant.repeated['500'] ?? 0
  if (defects > 0) problems.push(`${defects} calls were answered with 500`)
  await service.stop()
  problems.push(...wrongBodies(place.dataFolder))
  const received = [...reports.values()].flatMap((report) => report.received)
  return {
    flows: done.length,
    kills: kills.done,
    seconds: Math.round((performance.now() - startedMs) / 1_000),
    startsMs: medianAndMost(service.startsMs),
    apiCallsRepeated: tenant.repeated,
    events: events.length,
    deliveries: taken.deliveries,
    credentialMessages: received.length,
    credentialMessagesRepeated: received.length - new Set(received.map(({ threadId }) => threadId)).size,
    problems: [...problems, ...service.failures.map((failure) => `the service: ${failure}`)],
  }
}

const runAll = async (
  published: Published,
  { flows: total, 'at-once': atOnce }: FlowOptions,
  phoneOf: ReturnType<typeof startPhones>['phone'],
  say: (line: string) => void,
): Promise<{ done: Flow[]; problems: string[] }> => {
  const done: Flow[] = []
  const problems: string[] = []
  await inLanes(atOnce, total, async (number) => {
    const phone = phoneOf(number)
    try {
      done.push(await runFlow(published, number, phone))
    } catch (error) {
      const { failures } = await phone.report()
      const reason = error instanceof Error ? error.message : String(error)
      problems.push([`flow ${number}: ${reason}`, ...failures].join('; '))
    }
    if (done.length % 10 === 0) say(`${done.length} of ${total} flows are over`)
  })
  return { done: done.toSorted((left, right) => left.number - right.number), problems }
}
