import type { Subject } from './subjects.ts'

export type Sent = { readonly status: number; readonly text: string }

type Options = { readonly url: string; readonly key: string }

/** The API promises the answer within five seconds; a busy machine gets more, and the report says how long it took. */
const ANSWER_LIMIT_MS = 30_000
/** What says that the same request may succeed later. */
const PASSING = new Set([429, 503])
/** A caller that died with the process counts as being at work for a while. */
const isPassing = ({ status, text }: Sent): boolean =>
  PASSING.has(status) || text.includes('"idempotency_in_progress"')

/** Asks for erasures, and remembers which were answered. */
export class Eraser {
  readonly #options: Options
  readonly answered = new Map<string, Subject>()
  readonly answeredAtMs = new Map<string, number>()
  /** Asked for, and cut off before an answer. */
  readonly unanswered = new Map<string, Subject>()
  readonly problems: string[] = []
  readonly counts = { asked: 0, wasRunning: 0, cancelled: 0 }
  slowestMs = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** True when it was answered. What still runs is cancelled first. */
  async erase(subject: Subject, idempotencyKey: string | null = null): Promise<boolean> {
    const { id, path, value } = subject
    this.counts.asked += 1
    const startedMs = performance.now()
    const sent = await this.#post(`${path}/erase`, idempotencyKey)
    if (sent?.status === 409 && sent.text.includes('exchange_running')) {
      this.counts.wasRunning += 1
      const cancelled = await this.#post(`${path}/cancel`, null)
      if (cancelled?.status === 200) this.counts.cancelled += 1
      return cancelled === null ? this.#cutOff(subject) : this.erase(subject, idempotencyKey)
    }
    if (sent === null || isPassing(sent)) return this.#cutOff(subject)
    if (sent.status !== 200) {
      this.problems.push(`the erasure of ${id} was answered ${sent.status}: ${sent.text}`)
      return false
    }
    if (sent.text.includes(value)) this.problems.push(`the answer to the erasure of ${id} shows what is gone`)
    this.slowestMs = Math.max(this.slowestMs, performance.now() - startedMs)
    this.unanswered.delete(id)
    this.answered.set(id, subject)
    this.answeredAtMs.set(id, Date.now())
    return true
  }

  #cutOff(subject: Subject): boolean {
    this.unanswered.set(subject.id, subject)
    return false
  }

  async #post(path: string, idempotencyKey: string | null): Promise<Sent | null> {
    const { url, key } = this.#options
    const headers = {
      Authorization: `Bearer ${key}`,
      ...(idempotencyKey !== null && { 'Idempotency-Key': idempotencyKey }),
    }
    try {
      const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, signal })
      return { status: response.status, text: await response.text() }
    } catch {
      return null
    }
  }
}
