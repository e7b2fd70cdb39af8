import type { Inbox } from './inbox.ts'
import type { Mediator } from './mediator.ts'
import { mediatorAway } from './mediator-door.ts'
import type { Away, AwayOnes, Outbox } from './outbox.ts'
import type { Pickup } from './pickup.ts'

type Parts = {
  readonly outbox: Outbox
  readonly inbox: Inbox
  readonly mediator: Mediator
  readonly pickup: Pickup
}

export type Synced = {
  /** Messages that were fetched. */
  readonly received: number
  /** Messages of the wallet's that nobody has taken yet; they go out with a later sync. */
  readonly waiting: number
}

const ROUNDS_MAX = 100

/** Sends what is to be sent and fetches what has come. Everything is stored, so at any time it can be cut off. */
export class Mail {
  readonly #parts: Parts
  #last: Promise<unknown> = Promise.resolve()
  #next: Promise<Synced> | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Those who call while one is under way are all served by the next one. */
  sync(): Promise<Synced> {
    this.#next ??= this.inTurn(() => {
      this.#next = null
      return this.#sync()
    })
    return this.#next
  }

  /** Sends and reads until nothing moves; what nobody takes now is no failure. */
  exchange(): Promise<readonly Away[]> {
    return this.inTurn(() => this.exchangeNow())
  }

  /** For those who have the turn. An address that says nothing costs the whole time of a question, so it is asked once. */
  async exchangeNow(away: AwayOnes = new Map()): Promise<readonly Away[]> {
    const { outbox, inbox } = this.#parts
    for (let round = 0; ; round++) {
      const sent = await outbox.flush(away)
      const read = await inbox.read()
      if ((sent === 0 && read === 0) || round === ROUNDS_MAX) return [...away.values()]
    }
  }

  /** Runs what needs several questions and answers in a row. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => undefined)
    return mine
  }

  async #sync(): Promise<Synced> {
    const { mediator, pickup, outbox } = this.#parts
    const { connection } = await mediator.ready()
    const away: AwayOnes = new Map()
    await this.exchangeNow(away)
    let received = 0
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const fetched = await pickup.fetch(connection)
      received += fetched
      await this.exchangeNow(away)
      if (fetched === 0) break
    }
    return { received, waiting: outbox.waiting.length }
  }
}

/** For those to whom an absent mediator is a failure; `endpoint` is where it is. */
export const orMediatorAway = (away: readonly Away[]): void => {
  const [first] = away
  if (first !== undefined) throw mediatorAway({ isOnline: first.isOnline, cause: undefined })
}
