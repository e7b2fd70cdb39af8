import type { Eventually } from '../domain/eventually.ts'
import { EgressRefused } from '../egress/failures.ts'
import type { Deliver, Recipient } from '../ports/wallets.ts'
import { type Message, protocolOf } from './message.ts'
import type { TooMany } from './opened-envelope.ts'
import { type ProblemFacts, problemReportMessage } from './problem-report.ts'

/** Through whom a message came, which bounds what it can make us send. */
export type ReportSource = {
  readonly tenant: string
  /** The connection or the invitation that the message was sent to. */
  readonly address: string
}

const SENT_AT_ONCE_MAX = 256
const OF_ADDRESS_MAX = 8
const OF_TENANT_MAX = 32
/** With those that are being sent; each is a text of some hundred bytes and where it goes. */
const KEPT_MAX = 4_096
const REPORT_TIMEOUT_MS = 10_000
const NO_ROOM_RETRY_MS = 10_000
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

/**
 * Tells senders that a message came too late or out of turn, and answers what asks for a short word. It is kept in memory alone, is sent a few times at most,
 * and what one connection, one invitation or one organisation causes takes nothing from what others hear: beyond its
 * bound, its own oldest report that waits is forgotten.
 */
export class ProblemReporter {
  readonly #deliver: Deliver
  readonly #isResting: Resting
  readonly #pausesMs: readonly number[]
  /** The oldest first. */
  readonly #reports = new Set<Report>()
  #sending = 0

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
   * Any short answer that nothing durable depends on. The sender hears at once where there is no room for it: it may send
   * its message again.
   */
  say(
    { tenant, address }: ReportSource,
    recipient: () => Promise<Recipient>,
    message: string,
  ): 'accepted' | TooMany {
    const hasRoom =
      this.#makeRoom(OF_ADDRESS_MAX, (each) => each.address === address) &&
      this.#makeRoom(OF_TENANT_MAX, (each) => each.tenant === tenant) &&
      this.#makeRoom(KEPT_MAX, () => true)
    if (!hasRoom) return { retryAfterMs: NO_ROOM_RETRY_MS }
    const more = { state: 'due', attempts: 0, timer: undefined } as const
    const report: Report = { tenant, address, recipient, text: message, ...more }
    this.#reports.add(report)
    this.#sendWhatIsDue()
    return 'accepted'
  }

  /** False where all of them are being sent. */
  #makeRoom(max: number, counts: (report: Report) => boolean): boolean {
    let count = 0
    let oldest: Report | undefined
    for (const each of this.#reports) {
      if (!counts(each)) continue
      count += 1
      if (each.state !== 'sending') oldest ??= each
    }
    if (count < max) return true
    if (oldest === undefined) return false
    this.#forget(oldest)
    return true
  }

  #forget(report: Report): void {
    clearTimeout(report.timer)
    this.#reports.delete(report)
  }

  #sendWhatIsDue(): void {
    for (const report of this.#reports) {
      if (this.#sending >= SENT_AT_ONCE_MAX) return
      if (report.state === 'due') void this.#send(report)
    }
  }

  async #send(report: Report): Promise<void> {
    this.#sending += 1
    report.state = 'sending'
    const isOver = await this.#attempt(report)
    this.#sending -= 1
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
    this.#sendWhatIsDue()
  }

  /** Whether there is nothing left to try. */
  async #attempt({ tenant, recipient, text }: Report): Promise<boolean> {
    try {
      // What is kept in memory alone does not wait for days.
      if (await this.#isResting(tenant)) return true
      await this.#deliver(await recipient(), text, AbortSignal.timeout(REPORT_TIMEOUT_MS))
      return true
    } catch (error) {
      return error instanceof EgressRefused
    }
  }
}
