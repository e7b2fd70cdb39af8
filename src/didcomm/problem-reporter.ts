import { setTimeout } from 'node:timers/promises'
import { EgressRefused } from '../egress/failures.ts'
import type { Deliver, Recipient } from '../ports/wallets.ts'
import { type Message, protocolOf } from './message.ts'
import { type ProblemFacts, problemReportMessage } from './problem-report.ts'

const REPORTS_AT_ONCE_MAX = 256
const REPORT_TIMEOUT_MS = 10_000
/** Three attempts: a wallet that reloads its network, or a mediator that restarts, is there again for the last one. */
const PAUSES_MS: readonly number[] = [5_000, 60_000]

/**
 * Tells senders that a message came too late or out of turn. It is kept in memory alone, is sent a few times at most
 * and with only so many others at the same time, so that a sender of nonsense cannot keep us busy.
 */
export class ProblemReporter {
  readonly #deliver: Deliver
  readonly #pausesMs: readonly number[]
  #underWay = 0

  constructor(deliver: Deliver, pausesMs = PAUSES_MS) {
    this.#deliver = deliver
    this.#pausesMs = pausesMs
  }

  /** False when there are too many already: the sender has to come again to hear it. */
  report(
    recipient: () => Promise<Recipient>,
    answered: Message,
    { code, text }: Pick<ProblemFacts, 'code' | 'text'>,
  ): boolean {
    if (this.#underWay >= REPORTS_AT_ONCE_MAX) return false
    this.#underWay += 1
    const { prefix, threadId } = answered
    // Of the message itself, which may be long, nothing is kept while the report waits.
    const report = problemReportMessage({ protocol: protocolOf(answered), prefix, threadId, code, text })
    void this.#send(recipient, report).finally(() => {
      this.#underWay -= 1
    })
    return true
  }

  async #send(recipient: () => Promise<Recipient>, report: string): Promise<void> {
    for (const pauseMs of [...this.#pausesMs, null]) {
      try {
        return await this.#deliver(await recipient(), report, AbortSignal.timeout(REPORT_TIMEOUT_MS))
      } catch (error) {
        if (error instanceof EgressRefused) return
        if (pauseMs !== null) await setTimeout(pauseMs, undefined, { ref: false })
      }
    }
  }
}
