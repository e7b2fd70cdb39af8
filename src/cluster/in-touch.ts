import type { NodeLease } from '../ports/lease.ts'

/** What the one who decides knows of its own links is newer than its row. */
export type OwnLinks = { readonly node: string; readonly reached: ReadonlySet<string> }

/**
 * The nodes that can work together: of those whose leases stand, each is linked to each other one. Where two are not, the
 * one goes that fewer nodes reach; of two that are reached alike the one that only comes, and then the later one by name.
 * So one that nobody reaches goes alone, and one always stays. Nodes see the same rows and come to the same answer.
 */
export const nodesInTouch = (standing: readonly NodeLease[], own: OwnLinks | null): ReadonlySet<string> => {
  let left = standing
  for (;;) {
    const [first] = left
      .map((lease) => ({ lease, links: left.filter((other) => areLinked(lease, other, own)).length }))
      .filter(({ links }) => links < left.length)
      .toSorted(
        (one, other) =>
          one.links - other.links ||
          rankOf(one.lease) - rankOf(other.lease) ||
          (one.lease.node > other.lease.node ? -1 : 1),
      )
    if (first === undefined) return new Set(left.map(({ node }) => node))
    left = left.filter(({ node }) => node !== first.lease.node)
  }
}

const rankOf = ({ state }: NodeLease): number => (state === 'coming' ? 0 : 1)

/** A link that only one of two knows of is not there yet, or not any more. A row that says nothing stands in no way. */
const areLinked = (one: NodeLease, other: NodeLease, own: OwnLinks | null): boolean =>
  one.node === other.node || (says(one, other, own) && says(other, one, own))

const says = (one: NodeLease, other: NodeLease, own: OwnLinks | null): boolean => {
  if (own !== null && one.node === own.node) return own.reached.has(other.node)
  // Of a connection to itself each node knows most.
  if (own !== null && other.node === own.node) return own.reached.has(one.node)
  return one.reached === undefined || one.reached.includes(other.node)
}

export type TouchSettings = {
  /** How long a node that comes waits for those that it is not linked to, which may be dying or starting. */
  readonly comeInMs: number
  /** A node that was out of touch for this long gives up its lease. It is longer than a node takes to be known as dead. */
  readonly outOfTouchMs: number
  /** After a pause without a look at the rows, the time begins again. */
  readonly gapMaxMs: number
}

type Look = { readonly standing: readonly NodeLease[]; readonly nowMs: number }

export type TouchParts = {
  readonly own: () => OwnLinks
  readonly settings: TouchSettings
  /** Called when this node gives up its lease. */
  readonly leaves: () => void
}

/** Whether this node is in touch with those that can work together, over time. */
export class Touch {
  readonly #own: () => OwnLinks
  readonly #leaves: () => void
  readonly settings: TouchSettings
  #lookedAtMs = Number.NEGATIVE_INFINITY
  /** Since when it has been out of touch without a break. */
  #outSinceMs: number | null = null

  constructor({ own, settings, leaves }: TouchParts) {
    this.#own = own
    this.#leaves = leaves
    this.settings = settings
  }

  get reached(): readonly string[] {
    return [...this.#own().reached].toSorted()
  }

  /** `sinceMs`: when it began to come. */
  mayComeIn({ standing, nowMs }: Look, sinceMs: number): boolean {
    const own = this.#own()
    const inTouch = nodesInTouch(standing, own)
    if (!inTouch.has(own.node)) return false
    return inTouch.size === standing.length || nowMs - sinceMs >= this.settings.comeInMs
  }

  /** Said at each look. Where nobody would stay who takes part, nobody has to go. */
  mustLeave({ standing, nowMs }: Look): boolean {
    const { outOfTouchMs, gapMaxMs } = this.settings
    const own = this.#own()
    const inTouch = nodesInTouch(standing, own)
    const isOut =
      !inTouch.has(own.node) && standing.some(({ node, state }) => state === 'alive' && inTouch.has(node))
    const isBroken = nowMs - this.#lookedAtMs > gapMaxMs
    this.#lookedAtMs = nowMs
    if (!isOut) this.#outSinceMs = null
    else if (isBroken || this.#outSinceMs === null) this.#outSinceMs = nowMs
    return this.#outSinceMs !== null && nowMs - this.#outSinceMs >= outOfTouchMs
  }

  /** This node gives up its lease, and begins anew. */
  leaves(): void {
    this.#outSinceMs = null
    this.#leaves()
  }
}
