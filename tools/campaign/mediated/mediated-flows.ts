import type { Flow } from '../../flows/flow.ts'
import { runFlow } from '../../flows/flow.ts'
import { type Phone, startPhones } from '../../flows/phones.ts'
import type { PhoneReport } from '../../flows/phones-process.ts'
import type { Published } from '../../flows/publish.ts'
import type { Random } from '../../simulate/random.ts'
import { inLanes } from '../scenario.ts'

type FlowOptions = {
  readonly flows: number
  readonly 'at-once': number
  readonly phones: number
}

/** What a node does late because another was killed under it, it still does. */
const STEP_LIMIT_MS = 20 * 60_000
const POLL_MS = 1_000
const LOOK_EVERY_MS = 1_000
/** Phones that are through stay on until so many others are too: what comes twice may come late. */
const STAYING = 10
const STALLED = 0.1

/** Holders behind the mediator, a phone each, which connect, are issued to and prove; some at a time. */
export class MediatedFlows {
  readonly #published: Published
  readonly #options: FlowOptions
  readonly #say: (line: string) => void
  readonly #phones: ReturnType<typeof startPhones>
  /** Those that are on, by their number. */
  readonly #on = new Map<number, Phone>()
  readonly #through: number[] = []
  readonly done: Flow[] = []
  readonly reports = new Map<number, PhoneReport>()
  readonly problems: string[] = []
  socketsGone = 0
  over = 0

  constructor(
    published: Published,
    options: FlowOptions,
    invite: () => Promise<string>,
    say: (line: string) => void,
  ) {
    this.#published = published
    this.#options = options
    this.#say = say
    this.#phones = startPhones(options.phones, () => undefined, { pollMs: POLL_MS, invite })
  }

  get shown(): string {
    return `${this.over} of ${this.#options.flows} flows over, ${this.problems.length} failed, ${this.#on.size} phones on`
  }

  get credentialMessages() {
    const received = [...this.reports.values()].flatMap((report) => report.received)
    return { all: received.length, different: new Set(received.map(({ threadId }) => threadId)).size }
  }

  /** Resolves when all are over; each begins when `before` lets it. */
  async run(before: (number: number) => Promise<void>): Promise<void> {
    const { flows, 'at-once': atOnce } = this.#options
    await inLanes(atOnce, flows, async (number) => {
      await before(number)
      await this.#one(number)
      this.over += 1
      if (this.over % 10 === 0) this.#say(this.shown)
      while (this.#through.length > STAYING) await this.#turnOff(this.#through.shift() ?? 0)
    })
    for (const number of this.#through.splice(0)) await this.#turnOff(number)
    this.done.sort((left, right) => left.number - right.number)
  }

  /** One of the phones loses its sockets. */
  async disturbOne(random: Random): Promise<void> {
    const numbers = [...this.#on.keys()]
    if (numbers.length === 0) return
    const phone = this.#on.get(random.pick(numbers))
    const gone = phone?.disturb(random.chance(STALLED) ? 'stall' : 'drop')
    // It may be turned off at this moment.
    this.socketsGone += (await gone?.catch(() => 0)) ?? 0
  }

  async close(): Promise<void> {
    await this.#phones.close()
  }

  async #one(number: number): Promise<void> {
    const phone = this.#phones.phone(number)
    this.#on.set(number, phone)
    try {
      const step = { everyMs: LOOK_EVERY_MS, stepLimitMs: STEP_LIMIT_MS }
      this.done.push(await runFlow(this.#published, number, phone, step))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const report = await phone.report().catch(() => null)
      this.problems.push([`flow ${number}: ${reason}`, ...(report?.failures ?? [])].join('; '))
    }
    this.#through.push(number)
  }

  async #turnOff(number: number): Promise<void> {
    const phone = this.#on.get(number)
    this.#on.delete(number)
    if (phone === undefined) return
    try {
      this.reports.set(number, await phone.report())
      await phone.close()
    } catch (error) {
      this.problems.push(`phone ${number} could not be turned off: ${String(error)}`)
    }
  }
}
