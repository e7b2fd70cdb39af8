import type { Deliver, Recipient } from '../ports/wallets.ts'
import type { Message } from './message.ts'
import { problemReportMessage } from './problem-report.ts'

const REPORTS_AT_ONCE_MAX = 64
const REPORT_TIMEOUT_MS = 10_000

/**
 * Tells senders that a message came too late or out of turn. Each report is tried once, and only so many at the same
 * time, so that a sender of nonsense cannot keep us busy.
 */
export class ProblemReporter {
  readonly #deliver: Deliver
  #underWay = 0

  constructor(deliver: Deliver) {
    this.#deliver = deliver
  }

  report(recipient: () => Promise<Recipient>, message: Message, text: string): void {
    if (this.#underWay >= REPORTS_AT_ONCE_MAX) return
    this.#underWay += 1
    void this.#send(recipient, message, text)
      .catch(() => undefined)
      .finally(() => {
        this.#underWay -= 1
      })
  }

  async #send(recipient: () => Promise<Recipient>, message: Message, text: string): Promise<void> {
    const protocol = message.type.split('/').slice(0, 2).join('/')
    const report = problemReportMessage({ protocol, threadId: message.threadId, text })
    await this.#deliver(await recipient(), report, AbortSignal.timeout(REPORT_TIMEOUT_MS))
  }
}
