import type { Outgoing } from '../agent/outgoing-messages.ts'
import { NoAnswer, type Questions } from '../network/questions.ts'
import type { Clock, NetworkAnswer } from '../ports.ts'
import { Kept } from '../rows/kept.ts'
import type { RowStore, Step } from '../rows/row-store.ts'
import { isKind } from '../wallet-error.ts'
import { ENVELOPE, envelopeIn, saidBy } from './answers.ts'

/** On so many days a message is tried that nobody takes. The exchanges it could belong to have ended long before. */
const DAYS_MAX = 7
const DAY_MS = 86_400_000

/** Where nobody took the message now; it is sent again. */
export type Away = { readonly endpoint: string; readonly isOnline: boolean }

/** Those who were away by their address, and messages of which nobody said anything by their ids. */
export type AwayOnes = Map<string, Away>

/** A message that nobody gets any more: with its status, whoever was to get it refused it; with null, nobody took it. */
export type GivenUp = Outgoing & { readonly status: number | null }

/** A message on its way, with the days on which it was tried and nobody took it: each a day and more after the last. */
type Waiting = Outgoing & { readonly failed?: { readonly days: number; readonly lastMs: number } }

type Parts = {
  readonly rows: RowStore
  readonly clock: Pick<Clock, 'now'>
  readonly questions: Questions
  /** Stores the answer that came on the same way. */
  readonly received: (envelope: string) => void
  /** In a step of its own, together with the end of the message. */
  readonly givenUp: (message: GivenUp, step: Step) => Promise<void>
}

/**
 * What the wallet has to send, in its order. A message leaves only when it is stored, and is forgotten only when it was
 * taken, so it may arrive twice, in the same envelope; those who get it know it again. What nobody takes on seven days is
 * given up; days on which the phone has no network, or the app is not open, do not count.
 */
export class Outbox {
  readonly #parts: Parts
  readonly #waiting: Kept<Waiting>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#waiting = new Kept(parts.rows, 'outgoing')
  }

  /** Within a step. */
  add(message: Outgoing): void {
    this.#waiting.add(message)
  }

  get waiting(): readonly Outgoing[] {
    return this.#waiting.allStored()
  }

  /** How many were sent. Who is away is noted, and not asked again by those who hand the same note over. */
  async flush(away: AwayOnes): Promise<number> {
    let sent = 0
    for (const { id, failed: _, ...message } of this.#waiting.allStored()) {
      const { endpoint } = message
      if (away.has(endpoint) || away.has(id)) continue
      const answer = await this.#send(message)
      if ('isOnline' in answer) await this.#failed(away, answer, null)
      else if (saidBy(answer) === 'nothing')
        await this.#failed(away, { endpoint, isOnline: true }, isAboutMessage(answer) ? id : null)
      else {
        sent += 1
        await this.#over(id, message, answer)
      }
    }
    return sent
  }

  /** `id` is of the one message that was not taken; null where the address takes none. */
  async #failed(away: AwayOnes, at: Away, id: string | null): Promise<void> {
    away.set(id ?? at.endpoint, at)
    if (!at.isOnline) return
    for (const one of this.#waiting.allStored())
      if (id === null ? one.endpoint === at.endpoint : one.id === id) await this.#count(one)
  }

  /** Writes once a day. A clock that was set back does not keep a message for ever. */
  async #count({ id, failed, ...message }: Waiting & { readonly id: string }): Promise<void> {
    const nowMs = this.#parts.clock.now()
    const { days = 0, lastMs = Number.NEGATIVE_INFINITY } = failed ?? {}
    const passedMs = nowMs - lastMs
    if (passedMs >= 0 && passedMs < DAY_MS) return
    await this.#parts.rows.step(async (step) => {
      if (days < DAYS_MAX)
        return this.#waiting.put(id, { ...message, failed: { days: days + 1, lastMs: nowMs } })
      this.#waiting.remove(id)
      await this.#parts.givenUp({ ...message, status: null }, step)
    })
  }

  async #send({ endpoint, payload }: Outgoing): Promise<NetworkAnswer | Away> {
    const headers = { 'Content-Type': ENVELOPE }
    try {
      return await this.#parts.questions.ask(endpoint, { method: 'POST', headers, body: payload })
    } catch (error) {
      if (error instanceof NoAnswer) return { endpoint, isOnline: error.isOnline }
      // Refused is where it was to go, not the message: it stays, because the other side may mend its address.
      if (isKind(error, 'PlatformError')) return { endpoint, isOnline: true }
      throw error
    }
  }

  #over(id: string, message: Outgoing, answer: NetworkAnswer): Promise<void> {
    return this.#parts.rows.step(async (step) => {
      this.#waiting.remove(id)
      if (saidBy(answer) === 'refused')
        return await this.#parts.givenUp({ ...message, status: answer.status }, step)
      const envelope = envelopeIn(answer.body)
      if (envelope !== null) this.#parts.received(envelope)
    })
  }
}

/** A gateway may dislike one message and let the next one through; one that is busy or wants something dislikes all. */
const isAboutMessage = ({ status }: NetworkAnswer): boolean =>
  status >= 400 && status < 500 && !ABOUT_SENDER.has(status)

const ABOUT_SENDER = new Set([401, 403, 407, 408, 421, 425, 429])
