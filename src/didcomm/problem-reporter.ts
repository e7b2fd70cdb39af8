import type { Eventually } from '../domain/eventually.ts'
import { EgressRefused } from '../egress/failures.ts'
import type { Deliver, Recipient } from '../ports/wallets.ts'
import { LocalRateWindows } from '../timing/rate-windows.ts'
import { type Message, protocolOf } from './message.ts'
import type { TooMany } from './opened-envelope.ts'
import { type ProblemFacts, problemReportMessage } from './problem-report.ts'

/** Through whom a message came and where its answer goes, which bounds what it can make us send. */
export type ReportSource = {
  readonly tenant: string
  /** The connection or the invitation that the message was sent to. */
  readonly address: string
  /** Whoever is slow there holds up nobody elsewhere. */
  readonly lane: string
}

/** Under way at once: of an organisation to one place, of one address, of the organisation, and of all. */
const AT_ONCE_MAX = { lane: 2, address: 4, tenant: 16, all: 256 } as const
/**
 * With those under way, each is a text of some hundred bytes and where it goes. They are more than may be under way, so
 * that there is always one which waits and can be forgotten.
 */
const KEPT_MAX = { address: 8, tenant: 32, all: 4_096 } as const
/** Each makes us write to an address of the sender's choice, however fast that takes it. */
const OF_ADDRESS_PER_MINUTE = { max: 30, windowMs: 60_000 }
/** 4 MB at most. */
const TIMES_MAX = 524_288
const NO_ROOM_RETRY_MS = 10_000
const ATTEMPT_MS = 5_000
/** An attempt that has taken so long gives its place to a report for another lane that waits for one. */
const GIVES_WAY_MS = 1_000
/** Three attempts: a wallet that reloads its network, or a mediator that restarts, is there again for the last one. */
const PAUSES_MS: readonly number[] = [5_000, 60_000]

/** Whether an organisation rests, so that nothing is said in its name. */
type Resting = (tenant: string) => Eventually<boolean>
const neverResting: Resting = () => false

type Report = ReportSource & {
  readonly recipient: () => Promise<Recipient>
  readonly text: string
  /** A report that is due waits for others to be sent; one that pauses has been tried. */
  state: 'due' | 'sending' | 'pausing'
  attempts: number
  timer: NodeJS.Timeout | undefined
}

type Attempt = {
  readonly report: Report
  readonly sinceMs: number
  readonly cut: AbortController
  readonly deadline: NodeJS.Timeout
}

/**
 * Tells senders that a message came too late or out of turn, and answers what asks for a short word. It is kept in memory
 * alone, is sent a few times at most, and what one connection, one invitation or one organisation causes takes nothing from
 * what others hear: beyond its bound, its own oldest report that waits is forgotten. Each place that is written to is a lane
 * of its own, so an endpoint that hangs has its own places alone, and however many hang, those that have taken longest
 * give theirs to whoever waits.
 */
export class ProblemReporter {
  readonly #deliver: Deliver
  readonly #isResting: Resting
  readonly #pausesMs: readonly number[]
  readonly #rates = new LocalRateWindows(() => performance.now(), TIMES_MAX)
  /** The oldest first; the same by organisation. */
  readonly #reports = new Set<Report>()
  readonly #ofTenants = new Map<string, Set<Report>>()
  /** The longest under way first; how many by lane, by address and by organisation. */
  readonly #attempts = new Set<Attempt>()
  readonly #underWay = new Map<string, number>()
  #look: NodeJS.Timeout | undefined

  constructor(deliver: Deliver, pausesMs = PAUSES_MS, isResting: Resting = neverResting) {
    this.#deliver = deliver
    this.#isResting = isResting
    this.#pausesMs = pausesMs
  }

  report(
    source: ReportSource,
    recipient: () => Promise<Recipient>,
    answered: Message,
    { code, text }: Pick<ProblemFacts, 'code' | 'text'>,
  ): 'accepted' | TooMany {
    const { prefix, threadId } = answered
    // Of the message itself, which may be long, nothing is kept while the report waits.
    const message = problemReportMessage({ protocol: protocolOf(answered), prefix, threadId, code, text })
    return this.say(source, recipient, message)
  }

  /**
   * Any short answer that nothing durable depends on. The sender hears at once where too many came within a minute: it may
   * send its message again.
   */
  say(
    { tenant, address, lane }: ReportSource,
    recipient: () => Promise<Recipient>,
    message: string,
  ): 'accepted' | TooMany {
    const taken = this.#rates.take(address, OF_ADDRESS_PER_MINUTE)
    if (taken.is !== 'admitted')
      return { retryAfterMs: taken.is === 'full' ? NO_ROOM_RETRY_MS : taken.resetMs + 1 }
    const more = { state: 'due', attempts: 0, timer: undefined } as const
    this.#keep({ tenant, address, lane, recipient, text: message, ...more })
    this.#sendWhatIsDue()
    return 'accepted'
  }

  #keep(report: Report): void {
    const { tenant, address } = report
    const own = this.#ofTenants.get(tenant) ?? new Set()
    const beside = [...own].filter((each) => each.address === address)
    if (beside.length >= KEPT_MAX.address) this.#forget(beside.find(waits))
    else if (own.size >= KEPT_MAX.tenant) this.#forget(oldestOfMost(own))
    if (this.#reports.size >= KEPT_MAX.all) this.#forget(this.#reports.values().find(waits))
    own.add(report)
    this.#ofTenants.set(tenant, own)
    this.#reports.add(report)
  }

  #forget(report: Report | undefined): void {
    if (report === undefined) return
    clearTimeout(report.timer)
    this.#reports.delete(report)
    const own = this.#ofTenants.get(report.tenant)
    own?.delete(report)
    if (own?.size === 0) this.#ofTenants.delete(report.tenant)
  }

  #sendWhatIsDue(): void {
    for (const report of this.#reports)
      if (report.state === 'due' && this.#hasPlaceFor(report)) this.#send(report)
  }

  /** Whether it has one, also where another attempt gives way for it. */
  #hasPlaceFor(report: Report): boolean {
    if (this.#countOf(laneOf(report)) >= AT_ONCE_MAX.lane) return false
    const crowd = this.#crowdAround(report)
    if (crowd === null) return true
    const longest = this.#attempts.values().find(({ report: other }) => crowd(other))
    const inMs = longest === undefined ? 0 : longest.sinceMs + GIVES_WAY_MS - performance.now()
    if (inMs > 0) this.#lookIn(inMs)
    else if (longest !== undefined) this.#finish(longest, false)
    return inMs <= 0
  }

  /** The narrowest group that has as many under way as it may, and it belongs to; null where there is none. */
  #crowdAround({ address, tenant }: Report): ((other: Report) => boolean) | null {
    if (this.#countOf(address) >= AT_ONCE_MAX.address) return (other) => other.address === address
    if (this.#countOf(tenant) >= AT_ONCE_MAX.tenant) return (other) => other.tenant === tenant
    return this.#attempts.size >= AT_ONCE_MAX.all ? () => true : null
  }

  #lookIn(ms: number): void {
    this.#look ??= setTimeout(() => {
      this.#look = undefined
      this.#sendWhatIsDue()
    }, ms).unref()
  }

  #send(report: Report): void {
    report.state = 'sending'
    const end = (isOver: boolean): void => {
      if (this.#finish(attempt, isOver)) this.#sendWhatIsDue()
    }
    const attempt: Attempt = {
      report,
      sinceMs: performance.now(),
      cut: new AbortController(),
      deadline: setTimeout(() => end(false), ATTEMPT_MS).unref(),
    }
    this.#attempts.add(attempt)
    this.#count(report, 1)
    void this.#isSaid(report, attempt.cut.signal).then(end)
  }

  /** False where it has come to its end before: by its outcome, its time or by giving way. */
  #finish(attempt: Attempt, isOver: boolean): boolean {
    if (!this.#attempts.delete(attempt)) return false
    const { report, cut, deadline } = attempt
    clearTimeout(deadline)
    cut.abort()
    this.#count(report, -1)
    const pauseMs = isOver ? undefined : this.#pausesMs[report.attempts++]
    if (pauseMs === undefined) this.#forget(report)
    else {
      // While it pauses, its place is for others.
      report.state = 'pausing'
      report.timer = setTimeout(() => {
        report.state = 'due'
        this.#sendWhatIsDue()
      }, pauseMs).unref()
    }
    return true
  }

  /** Whether there is nothing left to try. */
  async #isSaid({ tenant, recipient, text }: Report, signal: AbortSignal): Promise<boolean> {
    try {
      // What is kept in memory alone does not wait for days.
      if (await this.#isResting(tenant)) return true
      await this.#deliver(await recipient(), text, signal)
      return true
    } catch (error) {
      return error instanceof EgressRefused
    }
  }

  #countOf(name: string): number {
    return this.#underWay.get(name) ?? 0
  }

  #count(report: Report, by: 1 | -1): void {
    for (const name of [laneOf(report), report.address, report.tenant]) {
      const count = this.#countOf(name) + by
      if (count === 0) this.#underWay.delete(name)
      else this.#underWay.set(name, count)
    }
  }
}

/** What one organisation causes at a place is nothing to another that writes there too. */
const laneOf = ({ tenant, lane }: ReportSource): string => `${tenant} ${lane}`

const waits = ({ state }: Report): boolean => state !== 'sending'

/** The oldest that waits, of the address that has most. */
const oldestOfMost = (reports: ReadonlySet<Report>): Report | undefined => {
  const counts = new Map<string, number>()
  for (const { address } of reports) counts.set(address, (counts.get(address) ?? 0) + 1)
  const countOf = ({ address }: Report): number => counts.get(address) ?? 0
  return [...reports].filter(waits).toSorted((one, other) => countOf(other) - countOf(one))[0]
}
