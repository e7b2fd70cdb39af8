import { setTimeout as pause } from 'node:timers/promises'
import type { OptionValues } from '../../../bench/harness/options.ts'
import { ModuleProcess } from '../../harness/module-process.ts'
import { onPlace, type Place } from '../../harness/place.ts'
import { Restarting } from '../../harness/restarting.ts'
import { untilFound } from '../../harness/waiting.ts'
import { Random } from '../../simulate/random.ts'
import { type Organisation, openOrganisation } from '../deliveries/organisation.ts'
import { count, defineScenario, medianAndMost, seedOption } from '../scenario.ts'
import { startCountingReceiver } from './counting-receiver.ts'

const options = {
  deliveries: count(100_000, 'that were delivered, and are sent again by one order'),
  kills: count(5, 'of the service, while it sends them again'),
  seed: seedOption,
}
type ResendOptions = OptionValues<typeof options>
type Service = ModuleProcess<typeof import('./service-process.ts')>
type Receiver = Awaited<ReturnType<typeof startCountingReceiver>>

const SERVICE = new URL('./service-process.ts', import.meta.url)
const OWED_AT_ONCE = 1_024
const KILL_WITHIN_MS = 400
const LOOK_MS = 200
/** Without one more that is heard. */
const STANDSTILL_MS = 300_000

export const resend = defineScenario({
  about: 'Everything that was delivered is sent again by one order, while the service is killed.',
  options,
  run: (values, say) =>
    onPlace(
      (place) => place.addLedger(),
      (place) => runResendCampaign(place, values, say),
    ),
})

const runResendCampaign = async (
  place: Place,
  { deliveries, kills, seed }: ResendOptions,
  say: (line: string) => void,
) => {
  const random = new Random(seed)
  const receiver = await startCountingReceiver()
  place.add('receiver', async () => receiver.close())
  const service = startedService(place)
  place.add('service', () => service.stop())
  await service.untilReady()
  const organisation = await openOrganisation(place.dataFolder)
  await organisation.setEndpoint(receiver.url)
  for (let from = 0; from < deliveries; from += OWED_AT_ONCE) {
    const running = await service.untilReady()
    await running.call('owe', organisation.id, from, Math.min(from + OWED_AT_ONCE, deliveries))
  }
  await untilHeard(receiver, 1, deliveries)
  await untilTotal(organisation, 'delivered', deliveries)
  say(`${deliveries} are delivered`)

  const startedMs = performance.now()
  await organisation.retryAll('delivered')
  const killing = killBetween(service, { kills, random }, () => receiver.heardOf(2) / deliveries)
  await untilHeard(receiver, 2, deliveries)
  const seconds = (performance.now() - startedMs) / 1_000
  await killing
  await untilTotal(organisation, 'pending', 0)
  await untilTotal(organisation, 'delivered', deliveries)
  say(`${deliveries} are sent again, ${service.startsMs.length - 1} kills`)
  const problems = await judge(organisation, receiver, deliveries)
  await service.stop()
  return {
    deliveries,
    kills,
    seconds: Math.round(seconds),
    resentPerS: Math.round(deliveries / seconds),
    repeated: receiver.repeated(),
    startsMs: medianAndMost(service.startsMs),
    problems: [...problems, ...service.failures.map((failure) => `the service: ${failure}`)],
  }
}

const startedService = (place: Place): Restarting<Service> => {
  const service = new Restarting<Service>({
    open: () =>
      new ModuleProcess(SERVICE, {
        env: { ...place.settings, VOUCHSAFE_LOG_LEVEL: 'silent' },
        silent: true,
      }),
    ready: (running) => running.usage(),
    stop: async (running) => {
      await running[Symbol.asyncDispose]()
      return running.ended
    },
  })
  service.start()
  return service
}

const killBetween = async (
  service: Restarting<Service>,
  { kills, random }: { readonly kills: number; readonly random: Random },
  share: () => number,
): Promise<void> => {
  const shares = Array.from({ length: kills }, (_, index) => (index + random.next()) / kills)
  for (const at of shares) {
    while (share() < at) await pause(LOOK_MS / 10)
    await service.untilReady()
    await pause(random.between(0, KILL_WITHIN_MS))
    service.kill()
  }
}

const untilHeard = async (receiver: Receiver, attempt: number, wanted: number): Promise<void> => {
  let [heard, sinceMs] = [receiver.heardOf(attempt), performance.now()]
  while (heard < wanted) {
    await pause(LOOK_MS)
    const now = receiver.heardOf(attempt)
    if (now > heard) [heard, sinceMs] = [now, performance.now()]
    if (performance.now() - sinceMs > STANDSTILL_MS)
      throw new Error(`attempt ${attempt} was heard of ${heard} of ${wanted}`)
  }
}

const untilTotal = (organisation: Organisation, status: string, wanted: number): Promise<boolean> =>
  untilFound(async () => ((await organisation.total(status)) === wanted ? true : null), {
    limitMs: STANDSTILL_MS,
    everyMs: LOOK_MS,
    otherwise: () => new Error(`there are not ${wanted} that are ${status}`),
  })

/** Each was sent twice, the second time by the order, and no third time. */
const judge = async (
  organisation: Organisation,
  { events }: Receiver,
  deliveries: number,
): Promise<readonly string[]> => {
  const listed = await organisation.deliveries()
  const problems = [...listed].flatMap(([id, { status, attempts }]) =>
    status === 'delivered' && attempts === 2
      ? []
      : [`${id} is ${String(status)} after ${String(attempts)} attempts`],
  )
  if (listed.size !== deliveries) problems.push(`${listed.size} deliveries of ${deliveries} are listed`)
  for (const [id, attempts] of events) {
    const numbers = [...attempts.keys()].toSorted((left, right) => left - right).join()
    if (numbers !== '1,2') problems.push(`${id}: the attempts ${numbers} arrived`)
  }
  if (events.size !== deliveries) problems.push(`${events.size} events of ${deliveries} arrived`)
  return problems
}
