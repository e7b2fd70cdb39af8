import { type Altered, alter } from './alterations.ts'
import { AlteredTally, type AlteredTotals } from './altered-tally.ts'
import { sendToStarter } from '../../tools/harness/module-host.ts'
import { Random } from '../../tools/simulate/random.ts'
import { type Base, CrossTests } from './cross.ts'
import { Issuers } from './issuers.ts'
import { add } from './members.ts'
import type { Held, Published } from './wallet.ts'

export type Amounts = {
  readonly credentials: number
  readonly presentations: number
  readonly altered: number
  readonly draws: number
  readonly threads: number
}

/** What was done, as numbers that can be added up over several processes. */
export type Totals = Awaited<ReturnType<Campaign['run']>>

/** A campaign in a process of its own. */
export const runShare = (seed: number, amounts: Amounts): Promise<Totals> =>
  new Campaign(new Random(seed), sendToStarter).run(amounts)

type Counter = Record<string, number>

/** A definition serves so many credentials, fewer where a short campaign would have too few definitions. */
const CREDENTIALS_PER_DEFINITION_MAX = 20
const DEFINITIONS_WANTED = 6
const ALTERED_PER_BASE = 50
const ATTRIBUTES_TO_KEEP_MAX = 12
/** Random changes nothing now and then, never for long. */
const DRAWS_MAX = 1_000

/** Random credentials, presentations and altered inputs for both engines; throws at the first thing that must not be. */
export class Campaign {
  readonly #chance: Random
  readonly #tests: CrossTests
  readonly #print: (text: string) => void
  readonly #held: Held[] = []
  readonly #seconds: Counter = {}
  readonly #cpuSeconds: Counter = {}

  constructor(chance: Random, print: (text: string) => void) {
    this.#chance = chance
    this.#tests = new CrossTests(chance)
    this.#print = print
  }

  async run(amounts: Amounts) {
    const { credentials, presentations, altered, draws, threads } = amounts
    const issued = await this.#timed('credentials', () => this.#issueMany(credentials, threads))
    const presented = await this.#timed('presentations', () => this.#presentMany(presentations))
    const tried = await this.#timed('altered', () => this.#alterMany(altered))
    const primes = await this.#timed('draws', () => this.#drawMany(draws, threads))
    return {
      // Time by the clock, and processor time over all threads.
      seconds: this.#seconds,
      cpuSeconds: this.#cpuSeconds,
      credentials: issued,
      presentations: { byCredentials: presented },
      altered: tried,
      draws: { primes },
    }
  }

  async #timed<Result>(what: string, work: () => Result | Promise<Result>): Promise<Result> {
    const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()]
    const result = await work()
    const { user, system } = process.cpuUsage(cpuBefore)
    this.#seconds[what] = Math.round((performance.now() - startedAt) / 1_000)
    this.#cpuSeconds[what] = Math.round((user + system) / 1_000_000)
    return result
  }

  /** 1 to 125 attributes, most often few. Each is signed on a thread, taken by the library's holder and proved. */
  #issueMany(count: number, threads: number) {
    const byAttributes: Counter = {}
    let provedToBoth = 0
    return withIssuers(threads, async (issuers) => {
      const each = Math.max(
        1,
        Math.min(CREDENTIALS_PER_DEFINITION_MAX, Math.floor(count / DEFINITIONS_WANTED)),
      )
      for (let done = 0; done < count; done += each) {
        const size = Math.min(each, count - done)
        const held = await this.#issueSome(this.#definition(done === 0), size, issuers)
        for (const [index, credential] of held.entries()) {
          this.#prove(credential)
          provedToBoth += 1
          add(byAttributes, range(credential.published.attributes.length))
          if (index % 5 === 0 && credential.published.attributes.length <= ATTRIBUTES_TO_KEEP_MAX)
            this.#held.push(credential)
        }
        this.#progress(done, size, 'credentials issued, taken and proved to both')
      }
      return { byAttributes, provedToBoth, primes: issuers.distinctPrimes }
    })
  }

  #definition(isFirst: boolean): Published {
    if (isFirst) return this.#tests.definition('library', ['name', 'age'])
    const size = this.#chance.oneIn(5) ? this.#chance.integer(1, 125) : this.#chance.integer(1, 12)
    return this.#tests.randomDefinition(size)
  }

  async #issueSome(published: Published, count: number, issuers: Issuers): Promise<Held[]> {
    let requested = this.#tests.wallet.request(published)
    const orders = Array.from({ length: count }, (_, index) => {
      // The wallet checks the whole key for every request, which takes long for many attributes.
      if (index % 4 === 3 && published.attributes.length < 20)
        requested = this.#tests.wallet.request(published)
      return { requested, values: this.#tests.values(published) }
    })
    const signed = await issuers.sign(
      orders.map((order) => ({ ...published, ...order.requested, values: order.values })),
    )
    return orders.map(({ requested: asked, values }, index) =>
      this.#tests.wallet.process(published, asked, signed[index] ?? '', values),
    )
  }

  /** Most without predicates, which cost the most. */
  #prove(credential: Held): void {
    const predicatesMax = this.#chance.oneIn(5) ? 4 : 0
    this.#tests.checkHonest(this.#tests.honest([credential], predicatesMax), [credential.published])
  }

  /** One to three credentials of different definitions. */
  #someHeld(): Held[] {
    const count = this.#chance.pick([1, 1, 1, 2, 3])
    const picked = Array.from({ length: count }, () => this.#chance.pick(this.#held))
    return [...new Map(picked.map((one) => [one.published.id, one])).values()]
  }

  #presentMany(count: number): Counter {
    const byCredentials: Counter = {}
    for (let done = 0; done < count; done += 1) {
      const held = this.#someHeld()
      this.#tests.checkHonest(
        this.#tests.honest(held),
        held.map((one) => one.published),
      )
      add(byCredentials, `${held.length} credentials`)
      this.#progress(done, 1, 'honest presentations accepted by both')
    }
    return byCredentials
  }

  /** An input counts only when it differs from the honest one and from everything before it. */
  #alterMany(count: number): AlteredTotals {
    const tally = new AlteredTally()
    while (tally.tried < count) {
      const until = Math.min(count, tally.tried + ALTERED_PER_BASE)
      if (this.#chance.oneIn(40)) this.#alterSelfAttested(tally, until)
      else this.#alterBase(tally, until)
    }
    return tally.totals
  }

  #alterBase(tally: AlteredTally, until: number): void {
    const held = this.#someHeld()
    const base = this.#tests.base(held)
    if (this.#chance.oneIn(3)) {
      const input = this.#tests.mixed(held)
      this.#judge(tally, base, { input, kind: 'a credential of another link secret' })
    }
    for (let drawn = 0; tally.tried < until && drawn < DRAWS_MAX; drawn += 1) {
      const altered = this.#tests.altered(base)
      if (altered !== null) this.#judge(tally, base, altered)
    }
  }

  #alterSelfAttested(tally: AlteredTally, until: number): void {
    const honest = this.#tests.selfAttested()
    const base = { honest, other: honest, published: [] }
    for (let drawn = 0; tally.tried < until && drawn < DRAWS_MAX; drawn += 1) {
      const altered = alter(this.#chance, honest)
      if (altered !== null) this.#judge(tally, base, { ...altered, kind: 'without any credential' })
    }
  }

  #judge(tally: AlteredTally, base: Base, altered: Altered): void {
    if (!tally.isNew(altered.input)) return
    const verdicts = this.#tests.checkAltered(altered, base.published)
    if (!tally.count(altered.kind, verdicts, base.honest, altered.input))
      this.#print(
        `accepted, and no rule says why: ${altered.kind}\n${JSON.stringify({ ...altered, honest: base.honest })}`,
      )
    this.#progress(tally.tried - 1, 1, 'altered inputs judged alike')
  }

  #drawMany(count: number, threads: number): Promise<number> {
    if (count === 0) return Promise.resolve(0)
    return withIssuers(threads, async (issuers) => {
      const published = this.#tests.definition('native', ['name'])
      const input = { ...published, ...this.#tests.wallet.request(published), values: { name: 'Ann' } }
      for (let done = 0; done < count; done += PROGRESS_EVERY * 10) {
        const size = Math.min(PROGRESS_EVERY * 10, count - done)
        await issuers.draw(size, input)
        this.#progress(done, size, 'primes drawn, no two alike')
      }
      return issuers.distinctPrimes
    })
  }

  /** Says where the campaign is whenever a round number was passed. */
  #progress(before: number, size: number, what: string): void {
    if (Math.floor((before + size) / PROGRESS_EVERY) > Math.floor(before / PROGRESS_EVERY))
      this.#print(`${before + size} ${what}`)
  }
}

const PROGRESS_EVERY = 500

const withIssuers = async <Result>(
  threads: number,
  work: (issuers: Issuers) => Promise<Result>,
): Promise<Result> => {
  const issuers = new Issuers(threads)
  try {
    return await work(issuers)
  } finally {
    await issuers[Symbol.asyncDispose]()
  }
}

const range = (attributes: number): string => {
  const most = [5, 12, 40, 80].find((limit) => attributes <= limit) ?? 125
  return `up to ${most} attributes`
}
