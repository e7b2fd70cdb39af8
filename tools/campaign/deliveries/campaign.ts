import { setTimeout as pause } from 'node:timers/promises'
import type { OptionValues } from '../../../bench/harness/options.ts'
import { walletEndpoint } from '../../flows/seeded.ts'
import type { Json } from '../../flows/tenant.ts'
import { ModuleProcess } from '../../harness/module-process.ts'
import { onPlace, type Place } from '../../harness/place.ts'
import { Restarting } from '../../harness/restarting.ts'
import { untilFound } from '../../harness/waiting.ts'
import { Random } from '../../simulate/random.ts'
import { count, defineScenario, inLanes, medianAndMost, seedOption } from '../scenario.ts'
import { FlakyReceiver } from './flaky-receiver.ts'
import { judgeEvents, judgeLog, judgeOutcomes, judgeTimes } from './judgement.ts'
import { openOrganisation, type Organisation } from './organisation.ts'
import { ATTEMPTS_MAX, planOf } from './plans.ts'

const options = {
  events: count(10_000, 'that are delivered, of connections with three each'),
  kills: count(20, 'of the service'),
  seed: seedOption,
}
type DeliveryOptions = OptionValues<typeof options>

const SERVICE = new URL('./service-process.ts', import.meta.url)
const EVENTS_OF_A_CONNECTION = 3
const FED_AT_ONCE = 8
const SHOWN_AT_ONCE = 8
/** Of those with more than one attempt. */
const SHOWN = 600
/** After so long without a request the wave of a step is over. */
const QUIET_MS = 600
const QUIET_LIMIT_MS = 60_000
/** The last pause of the schedule is an hour; what found no place comes again ten minutes later at most. */
const CLOCK_LIMIT_MS = 8 * 3_600_000
const SMALL_STEP_MS = 20_000
const LARGE_STEP_MS = 320_000
const SMALL_STEPS = 32
/** At this step the endpoint goes, and comes again after some large ones. */
const REMOVED_AT = 9
const AWAY_STEPS = 3
const SETTLED_LIMIT_MS = 600_000

export const deliveries = defineScenario({
  about:
    'Events go to a receiver that answers errors, hangs, resets, never ends and redirects, while the service is killed and its clock runs through the whole schedule; then all of them are sent again.',
  options,
  run: (values, say) =>
    onPlace(
      (place) => place.addLedger(),
      (place) => new DeliveryCampaign(place, values, say).run(),
    ),
})

type Service = ModuleProcess<typeof import('./service-process.ts')>

class DeliveryCampaign {
  readonly #place: Place
  readonly #values: DeliveryOptions
  readonly #say: (line: string) => void
  readonly #random: Random
  readonly #service: Restarting<Service>
  #aheadMs = 0
  #kills = 0

  constructor(place: Place, values: DeliveryOptions, say: (line: string) => void) {
    this.#place = place
    this.#values = values
    this.#say = say
    this.#random = new Random(values.seed)
    this.#service = new Restarting<Service>({
      open: () =>
        new ModuleProcess(SERVICE, {
          env: { ...place.settings, VOUCHSAFE_LOG_LEVEL: 'silent', AHEAD_MS: String(this.#aheadMs) },
          silent: true,
        }),
      ready: (service) => service.usage(),
      stop: async (service) => {
        await service[Symbol.asyncDispose]()
        return service.ended
      },
    })
  }

  async run() {
    const startedMs = performance.now()
    const { seed } = this.#values
    const receiver = await FlakyReceiver.start(seed)
    this.#place.add('receiver', async () => receiver.close())
    this.#place.add('service', () => this.#service.stop())
    this.#service.start()
    await this.#service.untilReady()
    const organisation = await openOrganisation(this.#place.dataFolder)
    await receiver.made(() => organisation.setEndpoint(receiver.url))
    const connections = await this.#feed(organisation)
    await this.#passSchedule(organisation, receiver)
    const settled = await organisation.deliveries()
    this.#say(
      `${settled.size} deliveries are over: ${receiver.counts.requests} requests, ${this.#kills} kills`,
    )
    const problems = [
      ...judgeEvents(connections, settled, receiver),
      ...judgeOutcomes(seed, settled, receiver),
      ...judgeTimes(receiver),
      ...(await this.#judgeLogs(organisation, settled)),
    ]
    const dead = await organisation.total('dead')
    const repeated = receiver.repeated()
    problems.push(...(await this.#sendAgain(organisation, receiver, settled)))
    await this.#service.stop()
    const { requests, inside } = receiver.counts
    if (inside > 0) problems.push(`${inside} requests followed a redirect`)
    return {
      seconds: Math.round((performance.now() - startedMs) / 1_000),
      kills: this.#kills,
      startsMs: medianAndMost(this.#service.startsMs),
      events: settled.size,
      dead,
      requests,
      repeated,
      clockHours: Math.round(this.#aheadMs / 360_000) / 10,
      problems: [
        ...problems,
        ...receiver.problems,
        ...this.#service.failures.map((failure) => `the service: ${failure}`),
      ],
    }
  }

  /** An order waits for a process, and is given again until one has carried it out. */
  async #order<Answer>(give: (service: Service) => Promise<{ readonly value: Answer }>): Promise<Answer> {
    const startedMs = performance.now()
    for (;;) {
      const running = await this.#service.untilReady()
      try {
        return (await give(running)).value
      } catch (error) {
        if (performance.now() - startedMs > SETTLED_LIMIT_MS) throw error
        await pause(20)
      }
    }
  }

  async #feed({ id: tenant }: Organisation): Promise<readonly string[]> {
    const wallet = await walletEndpoint()
    this.#place.add('wallet', async () => wallet.close())
    const connections = Math.ceil(this.#values.events / EVENTS_OF_A_CONNECTION)
    const made: string[] = []
    const killing = this.#killBetween(Math.ceil(this.#values.kills * 0.3), () => made.length / connections)
    await inLanes(FED_AT_ONCE, connections, async (number) => {
      made.push(await this.#order((service) => service.call('connect', tenant, number, wallet.url)))
    })
    await killing
    this.#say(`${made.length} connections are made, ${this.#kills} kills`)
    return made
  }

  /** Spreads kills over what is done, each a moment after its share. */
  async #killBetween(kills: number, share: () => number): Promise<void> {
    const shares = Array.from({ length: kills }, (_, index) => (index + this.#random.next()) / kills)
    for (const at of shares) {
      while (share() < at) await pause(20)
      await this.#kill()
    }
  }

  async #kill(): Promise<void> {
    await this.#service.untilReady()
    await pause(this.#random.between(0, 400))
    this.#service.kill()
    this.#kills += 1
  }

  async #forward(ms: number): Promise<void> {
    this.#aheadMs += ms
    await this.#order((service) => service.call('forwardTo', this.#aheadMs))
  }

  /** Until nothing is pending any more; in between the endpoint is away for a while. */
  async #passSchedule(organisation: Organisation, receiver: FlakyReceiver): Promise<void> {
    const kills = Math.ceil(this.#values.kills * 0.5)
    const killedAt = new Set(Array.from({ length: kills }, () => this.#random.below(SMALL_STEPS + 16)))
    let left = kills
    for (let step = 0; ; step++) {
      await this.#quiet(receiver)
      const pending = await organisation.total('pending')
      if (step % 8 === 0) this.#say(`${pending} are pending at ${Math.round(this.#aheadMs / 1_000)} s`)
      if (pending === 0 && step > REMOVED_AT) break
      if (this.#aheadMs > CLOCK_LIMIT_MS) throw new Error(`${pending} deliveries are still pending`)
      if (step === REMOVED_AT) await this.#removeEndpoint(organisation, receiver)
      const forward = this.#forward(step < SMALL_STEPS ? SMALL_STEP_MS : LARGE_STEP_MS)
      if (left > 0 && killedAt.has(step)) {
        left -= 1
        await this.#kill()
      }
      await forward
    }
    for (; left > 0; left--) await this.#kill()
  }

  async #removeEndpoint(organisation: Organisation, receiver: FlakyReceiver): Promise<void> {
    await organisation.removeEndpoint()
    await this.#quiet(receiver)
    const { requests } = receiver.counts
    for (let step = 0; step < AWAY_STEPS; step++) {
      await this.#forward(LARGE_STEP_MS)
      await pause(QUIET_MS)
      if (step === 0) await this.#kill()
    }
    await this.#service.untilReady()
    if (receiver.counts.requests !== requests)
      receiver.problems.push('a webhook came although there was no endpoint')
    const waiting = await organisation.total('pending')
    await receiver.made(() => organisation.setEndpoint(receiver.url))
    this.#say(`the endpoint was away for ${(AWAY_STEPS * LARGE_STEP_MS) / 1_000} s, and ${waiting} waited`)
  }

  async #quiet(receiver: FlakyReceiver): Promise<void> {
    const startedMs = performance.now()
    for (;;) {
      await this.#service.untilReady()
      const nowMs = performance.now()
      if (nowMs - Math.max(receiver.lastMs, startedMs) > QUIET_MS || nowMs - startedMs > QUIET_LIMIT_MS)
        return
      await pause(50)
    }
  }

  async #judgeLogs(
    organisation: Organisation,
    settled: ReadonlyMap<string, Json>,
  ): Promise<readonly string[]> {
    const retried = [...settled.values()].filter(({ attempts }) => Number(attempts) > 1).slice(0, SHOWN)
    const problems: string[] = []
    await inLanes(SHOWN_AT_ONCE, retried.length, async (number) => {
      const shown = await organisation.withAttempts(String(retried[number - 1]?.['id']))
      problems.push(...judgeLog(this.#values.seed, shown))
    })
    return problems
  }

  /** The dead ones, and then all: each once more, whatever is killed meanwhile. */
  async #sendAgain(
    organisation: Organisation,
    receiver: FlakyReceiver,
    settled: ReadonlyMap<string, Json>,
  ): Promise<readonly string[]> {
    const { seed, kills } = this.#values
    receiver.acceptsAll = true
    const dead = [...settled.keys()].filter((id) => planOf(seed, id).failures === ATTEMPTS_MAX)
    await organisation.retryAll('dead')
    await this.#kill()
    await this.#untilHeard(receiver, new Map(dead.map((id) => [id, ATTEMPTS_MAX + 1])))
    const last = new Map(
      [...settled.keys()].map((id) => [id, Math.min(planOf(seed, id).failures, ATTEMPTS_MAX) + 2]),
    )
    await untilFound(async () => (await organisation.total('delivered')) === settled.size, {
      limitMs: SETTLED_LIMIT_MS,
      everyMs: 200,
      otherwise: () => new Error('not all are delivered'),
    })
    await organisation.retryAll('delivered')
    const isHeard = (id: string): boolean => receiver.events.get(id)?.attempts.has(last.get(id) ?? 0) === true
    const share = (): number => [...last.keys()].filter(isHeard).length / last.size
    await this.#killBetween(Math.max(1, kills - this.#kills), share)
    await this.#untilHeard(receiver, last)
    await untilFound(async () => (await organisation.total('pending')) === 0, {
      limitMs: SETTLED_LIMIT_MS,
      everyMs: 200,
      otherwise: () => new Error('some are still pending'),
    })
    const again = await organisation.deliveries()
    return [...again].flatMap(([id, { status, attempts }]) =>
      status === 'delivered' && attempts === last.get(id)
        ? []
        : [
            `${id}, sent again, is ${String(status)} after ${String(attempts)} attempts instead of ${String(last.get(id))}`,
          ],
    )
  }

  /** The clock goes on meanwhile, for what found no place. */
  async #untilHeard({ events }: FlakyReceiver, wanted: ReadonlyMap<string, number>): Promise<void> {
    const startedMs = performance.now()
    const missing = (): number =>
      [...wanted].filter(([id, attempt]) => events.get(id)?.attempts.has(attempt) !== true).length
    for (let left = missing(); left > 0; left = missing()) {
      if (performance.now() - startedMs > SETTLED_LIMIT_MS) throw new Error(`${left} were not sent again`)
      await pause(500)
      await this.#forward(1_000)
    }
  }
}
