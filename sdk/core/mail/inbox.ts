import type { DidCommMessageHandlerMiddleware } from '@credo-ts/didcomm'
import { DidCommMessageReceiver } from '@credo-ts/didcomm'
import type { AgentSteps } from '../agent/agent-steps.ts'
import type { OpenAgent } from '../agent/open-agent.ts'
import type { Clock } from '../ports.ts'
import { Kept } from '../rows/kept.ts'
import type { RowStore } from '../rows/row-store.ts'
import { isKind, WalletError } from '../wallet-error.ts'
import { whileRunning, withinTime } from '../within-time.ts'

/** So many messages are known again that come a second time. */
const KNOWN_MAX = 2_000
/** Not at each message is looked for those that are too many. */
const FORGET_AT_ONCE = 200

/** Far longer than the ledger may take. Nothing else is asked for while a message is read. */
const READING_LIMIT_MS = 60_000

class TooLong extends Error {}

const PROBLEM_REPORT = /\/problem[-_]report$/
/** What is said before a connection is there. */
const HANDSHAKE = /\/(?:didexchange|connections)\/1\.\d+\/(?:request|response|complete)$/
/** What is said to issuers and verifiers, of which Credo would keep records that nobody ever looks at. */
const TO_OTHERS = /\/(?:propose-credential|request-credential|propose-presentation|presentation)$/
/** Only the mediator delivers, in answer to a question (`pickup.ts`). */
const DELIVERY = /\/messagepickup\/\d+\.\d+\/[^/]+$/

type Parts = Pick<OpenAgent, 'agent' | 'ledger'> & {
  readonly rows: RowStore
  readonly steps: AgentSteps
  readonly clock: Clock
  /** What could not be read; within a step. */
  readonly failed: (envelope: string) => Promise<void>
  readonly dropped: (reason: string) => void
  /** Whom the wallet wants to be connected with says no. */
  readonly refused: (threadId: string) => Promise<void>
}

type Envelope = { readonly envelope: string }

/**
 * What came and has not been read yet. It is stored before the mediator hears that it came, and is removed in the step
 * that holds all that it brought about; so it is read once, wherever the app is killed.
 */
export class Inbox {
  readonly #parts: Parts
  readonly #waiting: Kept<Envelope>
  readonly #known: Kept<{ readonly number: number }>
  #lastNumber = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.#waiting = new Kept(parts.rows, 'incoming')
    this.#known = new Kept(parts.rows, 'known-message')
    for (const { number } of this.#known.allStored()) this.#lastNumber = Math.max(this.#lastNumber, number)
    parts.agent.didcomm.registerMessageHandlerMiddleware(this.#once)
  }

  /** Within a step. */
  add(envelope: string): void {
    this.#waiting.add({ envelope })
  }

  /** How many were read. Those that need a ledger which is away stay. */
  async read(): Promise<number> {
    let count = 0
    for (const { id, envelope } of this.#waiting.allStored())
      if (await this.#readOne(id, envelope)) count += 1
    return count
  }

  async #readOne(id: string, envelope: string): Promise<boolean> {
    const { agent, ledger, steps, rows, clock, failed, dropped } = this.#parts
    const { contextCorrelationId } = agent.context
    const receiver = agent.dependencyManager.resolve(DidCommMessageReceiver)
    try {
      await steps.run(async () => {
        const reading = ledger.attempt(() =>
          receiver.receiveMessage(JSON.parse(envelope) as object, { contextCorrelationId }),
        )
        const late = (): TooLong => new TooLong('reading it took too long')
        await withinTime(whileRunning(clock), READING_LIMIT_MS, reading, late)
        this.#waiting.remove(id)
      })
      return true
    } catch (error) {
      if (isKind(error, 'LedgerUnavailable')) return false
      // Nothing is wrong with the message: it is read again when there is room to store what it brings about.
      if (rows.isBrokenOff) throw error
      // The step is not stored: what cannot be read changes nothing but what waits for it, and is not looked at again.
      const reason = error instanceof Error ? error.message : String(error)
      await steps.run(async (step) => {
        this.#waiting.remove(id)
        await failed(envelope)
        step.afterwards(() => dropped(reason))
      })
      if (error instanceof TooLong) throw this.#brokenOff(error)
      return true
    }
  }

  /** Whatever still goes on with that message must not change what other steps store. */
  #brokenOff(cause: TooLong): WalletError {
    const reason = new WalletError('Internal', 'a message took too long to read', {
      code: 'reading_too_long',
      cause,
    })
    this.#parts.rows.breakOff(reason)
    return reason
  }

  /** Peers deliver at least once: the same message in another envelope is not heard again. */
  readonly #once: DidCommMessageHandlerMiddleware = async ({ message, connection, recipientKey }, next) => {
    const from = recipientKey?.fingerprint ?? connection?.id ?? ''
    const id = `${from} ${message.id}`
    if (this.#known.find(id) !== null) return
    // Credo would read what is inside outside of this step, while others store theirs.
    if (DELIVERY.test(message.type)) throw new Error('a message may not bring other messages with it')
    if (TO_OTHERS.test(message.type)) throw new Error('a wallet neither issues nor verifies')
    // Credo does not know whom such a report is from, as long as the connection is not there.
    if (connection === undefined && PROBLEM_REPORT.test(message.type))
      await this.#parts.refused(message.threadId)
    // Credo takes an offer or a request from anybody who says in it where the answer is to go.
    else if (connection === undefined && !HANDSHAKE.test(message.type))
      throw new Error('a message came from nobody whom the wallet is connected with')
    else await next()
    this.#lastNumber += 1
    this.#known.put(id, { number: this.#lastNumber })
    if (this.#lastNumber % FORGET_AT_ONCE === 0) this.#forgetOldest()
  }

  #forgetOldest(): void {
    for (const { id, number } of this.#known.allStored())
      if (number <= this.#lastNumber - KNOWN_MAX) this.#known.remove(id)
  }
}
