type InLane<Waiting> = { next: Waiting | null }

/** What stands in line together, first come, first served; linked through those who wait, so that waiting costs no memory. */
export class Lane<Waiting extends InLane<Waiting>> {
  readonly key: string
  /** What it may have although others wait. */
  readonly share: number
  readonly atOnceMax: number
  readonly isRecipient: boolean
  running = 0
  waiting = 0
  #first: Waiting | null = null
  #last: Waiting | null = null

  constructor(key: string, share: number, atOnceMax: number, isRecipient: boolean) {
    this.key = key
    this.share = share
    this.atOnceMax = atOnceMax
    this.isRecipient = isRecipient
  }

  push(turn: Waiting): void {
    turn.next = null
    if (this.#last === null) this.#first = turn
    else this.#last.next = turn
    this.#last = turn
    this.waiting++
  }

  shift(): Waiting | null {
    const turn = this.#first
    if (turn === null) return null
    this.#first = turn.next
    if (this.#first === null) this.#last = null
    turn.next = null
    this.waiting--
    return turn
  }
}
