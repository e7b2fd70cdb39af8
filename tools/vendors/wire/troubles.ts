import type { VendorClock } from './vendor-clock.ts'

/** Which operation of whose account a request is, as far as it says so itself. */
export type Call = { readonly account: string | null; readonly operation: string }

/** Whom a trouble meets, and how long; everybody and until it is ended, unless it says so. */
type Reach = {
  readonly operations?: readonly string[]
  readonly accounts?: readonly string[]
  readonly forMs?: number
  readonly times?: number
}

export type Trouble = Reach &
  (
    | { /** Refused as too many, in the vendor's own words. */ readonly kind: 'throttled' }
    | { /** The vendor's own internal error. */ readonly kind: 'broken' }
    | { /** Taken, and never answered. */ readonly kind: 'silent' }
    | { /** The connection ends before anything is done. */ readonly kind: 'unreachable' }
    | { readonly kind: 'redirected'; readonly to: string }
    | { /** Done, and answered late. */ readonly kind: 'slow'; readonly delayMs: number }
    | { /** Done, and the connection ends instead of an answer. */ readonly kind: 'answer-lost' }
    | { /** Done, and the answer ends in the middle. */ readonly kind: 'truncated' }
    | { /** Done, and the answer is a page of a proxy. */ readonly kind: 'nonsense' }
    | {
        /** Done, and answered with another value in one place; `undefined` takes the place away. */
        readonly kind: 'altered'
        readonly at: readonly (string | number)[]
        readonly to?: unknown
      }
  )

type Begun = { readonly trouble: Trouble; readonly untilMs: number; left: number }

/** The outages of a vendor. */
export class Troubles {
  readonly #clock: VendorClock
  #begun: Begun[] = []

  constructor(clock: VendorClock) {
    this.#clock = clock
  }

  begin(trouble: Trouble): void {
    const { forMs = Infinity, times = Infinity } = trouble
    this.#begun.push({ trouble, untilMs: this.#clock.lifeMs + forMs, left: times })
  }

  end(): void {
    this.#begun = []
  }

  /** Those that meet this call, each of which counts it. */
  over(call: Call): readonly Trouble[] {
    this.#begun = this.#begun.filter(({ untilMs, left }) => left > 0 && untilMs > this.#clock.lifeMs)
    const met = this.#begun.filter(({ trouble }) => meets(trouble, call))
    for (const each of met) each.left -= 1
    return met.map(({ trouble }) => trouble)
  }
}

const meets = ({ operations, accounts }: Trouble, call: Call): boolean =>
  (operations === undefined || operations.includes(call.operation)) &&
  (accounts === undefined || (call.account !== null && accounts.includes(call.account)))
