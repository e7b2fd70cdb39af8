import { randomUUID } from 'node:crypto'
import type { Eventually } from '../domain/eventually.ts'
import { EgressRefused } from '../egress/failures.ts'
import type { Deliver, Recipient } from '../ports/wallets.ts'
import { LocalRateWindows } from '../timing/rate-windows.ts'
import { AnswersUnderWay, type ReportSource } from './answers-under-way.ts'
import { type Message, protocolOf } from './message.ts'
import type { TooMany } from './opened-envelope.ts'
import { type ProblemFacts, problemReportMessage } from './problem-report.ts'

/**
 * With those under way, each is a text of some hundred bytes and where it goes. They are more than may be under way, so
 * that there is always one which waits and can be forgotten.
 */
const KEPT_MAX = { address: 8, tenant: 64, all: 4_096 } as const
/** Each makes us write to an address of the sender's choice, however fast that takes it. */
const OF_ADDRESS_PER_MINUTE = { max: 30, windowMs: 60_000 }
/** 4 MB at most. */
const TIMES_MAX = 524_288
const NO_ROOM_RETRY_MS = 10_000
const ATTEMPT_MS = 5_000
/** A place that takes longer is slow; an attempt there gives way to a report for another lane that waits. */
const SLOW_MS = 1_000
/** Three attempts: a wallet that reloads its network, or a mediator that restarts, is there again for the last one. */
const PAUSES_MS: readonly number[] = [5_000, 60_000]

/** Whether an organisation rests, so that nothing is said in its name. */
type Resting = (tenant: string) => Eventually<boolean>
const neverResting: Resting = () => false

type Report = {
  readonly source: ReportSource
  readonly recipient: () => Promise<Recipient>
  readonly text: string
  /** The same for each of its attempts. */
  readonly sending: string
  /** A report that is due waits for others to be sent; one that pauses has been tried. */
  state: 'due' | 'sending' | 'pausing'
  attempts: number
  timer: NodeJS.Timeout | undefined
}

type Sending = {
  readonly source: ReportSource
  readonly report: Report
  readonly sinceMs: number
  readonly cut: AbortController
  readonly deadline: NodeJS.Timeout
  givesWay: boolean
}

/** `never`: to an address that is not written to, or of an organisation that rests. */
type Outcome = 'said' | 'never' | 'failed'

/**
 * Tells senders that a message came too late or out of turn, and answers what asks for a short word. It is kept in memory
 * alone, is sent a few times at most, and what one connection, one invitation or one organisation causes takes nothing from
 * what others hear: beyond its bound, its own oldest report that waits is forgotten. An endpoint that hangs has its own two
 * places alone, and however many hang, those that have taken longest give theirs to whoever waits.
 */
export class ProblemReporter {
  readonly #deliver: Deliver
  readonly #isResting: Resting
  readonly #pausesMs: readonly number[]
  readonly #rates = new LocalRateWindows(() => performance.now(), TIMES_MAX)
  readonly #underWay = new AnswersUnderWay<Sending>()
  /** The oldest first; the same by organisation. */
  readonly #reports = new Set<Report>()
  readonly #ofTenants = new Map<string, Set<Report>>()
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
  say(source: ReportSource, recipient: () => Promise<Recipient>, text: string): 'accepted' | TooMany {
    const taken = this.#rates.take(source.address, OF_ADDRESS_PER_MINUTE)
    if (taken.is !== 'admitted')
      return { retryAfterMs: taken.is === 'full' ? NO_ROOM_RETRY_MS : taken.resetMs + 1 }
    const sending = `report ${randomUUID()}`
    this.#keep({ source, recipient, text, sending, state: 'due', attempts: 0, timer: undefined })
    this.#sendWhatIsDue()
    return 'accepted'
  }

  #keep(report: Report): void {
    const { tenant, address } = report.source
    const own = this.#ofTenants.get(tenant) ?? new Set()
    const beside = [...own].filter(({ source }) => source.address === address)
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
    const { tenant } = report.source
    const own = this.#ofTenants.get(tenant)
    own?.delete(report)
    if (own?.size === 0) this.#ofTenants.delete(tenant)
  }

  #sendWhatIsDue(): void {
    for (const report of this.#reports)
      if (report.state === 'due' && this.#hasPlaceFor(report)) this.#send(report)
  }

  /** Whether it has one, also where what is being sent elsewhere gives way for it. */
  #hasPlaceFor({ source }: Report): boolean {
    if (!this.#underWay.hasLaneFor(source)) return false
    if (this.#underWay.hasRoomFor(source)) return true
    const longest = this.#underWay.longestInTheWayOf(source)
    if (longest === null) return false
    const inMs = longest.sinceMs + SLOW_MS - performance.now()
    if (inMs > 0) this.#lookIn(inMs)
    else this.#finish(longest, 'failed')
    return inMs <= 0
  }

  #lookIn(ms: number): void {
    if (this.#look !== undefined) return
    this.#look = setTimeout(() => {
      this.#look = undefined
      this.#sendWhatIsDue()
    }, ms).unref()
  }

  #send(report: Report): void {
    report.state = 'sending'
    const end = (outcome: Outcome): void => {
      if (this.#finish(sending, outcome)) this.#sendWhatIsDue()
    }
    const sending: Sending = {
      source: report.source,
      report,
      sinceMs: performance.now(),
      cut: new AbortController(),
      deadline: setTimeout(() => end('failed'), ATTEMPT_MS).unref(),
      givesWay: true,
    }
    this.#underWay.begin(sending)
    void this.#try(sending).then(end)
  }

  /** False where it has come to its end before: by its outcome, its time or by giving way. */
  #finish(sending: Sending, outcome: Outcome): boolean {
    if (!this.#underWay.end(sending)) return false
    const { source, report, sinceMs, cut, deadline } = sending
    clearTimeout(deadline)
    cut.abort()
    const wasQuick = outcome === 'said' && performance.now() - sinceMs < SLOW_MS
    if (outcome !== 'never') this.#underWay.learn(source, wasQuick)
    const pauseMs = outcome === 'failed' ? this.#pausesMs[report.attempts++] : undefined
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

  async #try(sending: Sending): Promise<Outcome> {
    const { source, report, cut, deadline } = sending
    const { signal } = cut
    try {
      // What is kept in memory alone does not wait for days.
      if (await this.#isResting(source.tenant)) return 'never'
      const to = await report.recipient()
      signal.throwIfAborted()
      // Our own mailbox keeps what it has begun to keep, so nothing is gained by saying it again meanwhile.
      if (this.#deliver.staysInside?.(to.service) === true) {
        clearTimeout(deadline)
        sending.givesWay = false
      }
      await this.#deliver(to, report.text, signal, report.sending)
      return 'said'
    } catch (error) {
      return error instanceof EgressRefused ? 'never' : 'failed'
    }
  }
}

const waits = ({ state }: Report): boolean => state !== 'sending'

/** The oldest that waits, of the address that has most. */
const oldestOfMost = (reports: ReadonlySet<Report>): Report | undefined => {
  const counts = new Map<string, number>()
  for (const { source } of reports) counts.set(source.address, (counts.get(source.address) ?? 0) + 1)
  const countOf = ({ source }: Report): number => counts.get(source.address) ?? 0
  return [...reports].filter(waits).toSorted((one, other) => countOf(other) - countOf(one))[0]
}
