import type { LeaseSession } from '../ports/journal.ts'
import type { LeaseClock } from './lease-clock.ts'

/** One incarnation of this node, from its join until it is known to have ended. */
export class NodeSession implements LeaseSession {
  readonly owner: string
  readonly ended: AbortSignal
  readonly #clock: LeaseClock
  readonly #end = new AbortController()
  #validUntilMs: number

  constructor(clock: LeaseClock, owner: string) {
    this.#clock = clock
    this.owner = owner
    this.ended = this.#end.signal
    this.#validUntilMs = Number.NEGATIVE_INFINITY
  }

  valid(): boolean {
    return !this.ended.aborted && this.#clock.nowMs() < this.#validUntilMs
  }

  /** `startMs` is when the renewal was sent, on the same clock, because a rival may have seen it applied at any moment since. */
  renewed(startMs: number, validMs: number): void {
    this.#validUntilMs = Math.max(this.#validUntilMs, startMs + validMs)
  }

  end(): void {
    this.#end.abort(new Error(`the lease of ${this.owner} is over`))
  }
}

export const ownerName = (node: string, incarnation: string): string => `${node}~${incarnation}`

export const parseOwner = (owner: string): { readonly node: string; readonly incarnation: string } => {
  const at = owner.lastIndexOf('~')
  return { node: owner.slice(0, Math.max(at, 0)), incarnation: owner.slice(at + 1) }
}
