import { LRUCache } from 'lru-cache'

/** Through whom a message came and where its answer goes, which bounds what it can make us send. */
export type ReportSource = {
  readonly tenant: string
  /** The connection or the invitation that the message was sent to. */
  readonly address: string
  /** Whoever is slow there holds up nobody elsewhere. */
  readonly lane: string
}

export type Attempt = {
  readonly source: ReportSource
  readonly sinceMs: number
  /** Whether it may be cut off for another. */
  readonly givesWay: boolean
}

/** Of one address, of an organisation, and of all. */
const AT_ONCE_MAX = { address: 4, tenant: 32, all: 256 } as const
/** Of an organisation to one place, as long as nobody knows better. */
const LANE_FIRST = 2
const LANES_KNOWN_MAX = 4_096

/**
 * The short answers that are being sent. What an organisation sends to one place is a lane, which has two at once, twice as
 * many each time that it was quick, because behind a mediator are many wallets, and two again when it was not.
 */
export class AnswersUnderWay<Of extends Attempt> {
  /** The longest under way first; how many by lane, by address and by organisation. */
  readonly #attempts = new Set<Of>()
  readonly #counts = new Map<string, number>()
  /** What lanes may have at once that were quick last. */
  readonly #quick = new LRUCache<string, number>({ max: LANES_KNOWN_MAX })

  hasLaneFor(source: ReportSource): boolean {
    return this.#countOf(laneOf(source)) < this.#laneMax(source)
  }

  hasRoomFor(source: ReportSource): boolean {
    return this.#crowdAround(source) === null
  }

  /** Where as many are under way as may be, the one of these that has taken longest; null where none of them gives way. */
  longestInTheWayOf(source: ReportSource): Of | null {
    const isInTheWay = this.#crowdAround(source)
    const found = this.#attempts.values().find((each) => each.givesWay && isInTheWay?.(each) === true)
    return found ?? null
  }

  begin(attempt: Of): void {
    this.#attempts.add(attempt)
    this.#count(attempt.source, 1)
  }

  /** False where it has come to its end before. */
  end(attempt: Of): boolean {
    if (!this.#attempts.delete(attempt)) return false
    this.#count(attempt.source, -1)
    return true
  }

  learn(source: ReportSource, wasQuick: boolean): void {
    const lane = laneOf(source)
    if (wasQuick) this.#quick.set(lane, Math.min(2 * this.#laneMax(source), AT_ONCE_MAX.tenant))
    else this.#quick.delete(lane)
  }

  /** The narrowest group that is full. */
  #crowdAround({ address, tenant }: ReportSource): ((other: Attempt) => boolean) | null {
    if (this.#countOf(address) >= AT_ONCE_MAX.address) return ({ source }) => source.address === address
    if (this.#countOf(tenant) >= AT_ONCE_MAX.tenant) return ({ source }) => source.tenant === tenant
    return this.#attempts.size >= AT_ONCE_MAX.all ? () => true : null
  }

  #laneMax(source: ReportSource): number {
    return this.#quick.get(laneOf(source)) ?? LANE_FIRST
  }

  #countOf(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  #count(source: ReportSource, by: 1 | -1): void {
    for (const name of [laneOf(source), source.address, source.tenant]) {
      const count = this.#countOf(name) + by
      if (count === 0) this.#counts.delete(name)
      else this.#counts.set(name, count)
    }
  }
}

/** What one organisation causes at a place is nothing to another that writes there too. */
const laneOf = ({ tenant, lane }: ReportSource): string => `${tenant} ${lane}`
