import type { Outgoing } from '../agent/outgoing-messages.ts'
import { NoAnswer, type Questions } from '../network/questions.ts'
import type { NetworkAnswer } from '../ports.ts'
import { Kept } from '../rows/kept.ts'
import type { RowStore, Step } from '../rows/row-store.ts'
import { isKind } from '../wallet-error.ts'
import { ENVELOPE, envelopeIn, saidBy } from './answers.ts'

/** Where nobody took the message now; it is sent again. */
export type Away = { readonly endpoint: string; readonly isOnline: boolean }

/** Those who were away by their address, and messages of which nobody said anything by their ids. */
export type AwayOnes = Map<string, Away>

/** Whoever was to get it said that it never takes this message. */
export type Refused = Outgoing & { readonly status: number }

type Parts = {
  readonly rows: RowStore
  readonly questions: Questions
  /** Stores the answer that came on the same way. */
  readonly received: (envelope: string) => void
  /** In a step of its own, together with the end of the message. */
  readonly refused: (message: Refused, step: Step) => Promise<void>
}

/**
 * What the wallet has to send, in its order. A message leaves only when it is stored, and is forgotten only when it was
 * taken, so it may arrive twice, in the same envelope; those who get it know it again.
 */
export class Outbox {
  readonly #parts: Parts
  readonly #waiting: Kept<Outgoing>

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
    for (const { id, ...message } of this.#waiting.allStored()) {
      const { endpoint } = message
      if (away.has(endpoint) || away.has(id)) continue
      const answer = await this.#send(message)
      if ('isOnline' in answer) away.set(endpoint, answer)
      else if (saidBy(answer) === 'nothing')
        away.set(isAboutMessage(answer) ? id : endpoint, { endpoint, isOnline: true })
      else {
        sent += 1
        await this.#over(id, message, answer)
      }
    }
    return sent
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
        return await this.#parts.refused({ ...message, status: answer.status }, step)
      const envelope = envelopeIn(answer.body)
      if (envelope !== null) this.#parts.received(envelope)
    })
  }
}

/** A gateway may dislike one message and let the next one through; one that is busy or wants something dislikes all. */
const isAboutMessage = ({ status }: NetworkAnswer): boolean =>
  status >= 400 && status < 500 && !ABOUT_SENDER.has(status)

const ABOUT_SENDER = new Set([401, 403, 407, 408, 421, 425, 429])
