import type { NodeLease } from '../../ports/lease.ts'

type Seen = { readonly incarnation: string; readonly sinceMs: number }

/** For how long this process has seen each node's lease unbroken: who comes back begins anew. */
export class LeaseAges {
  #seen: ReadonlyMap<string, Seen> = new Map()

  look(living: readonly NodeLease[], nowMs: number): void {
    this.#seen = new Map(
      living.map(({ node, incarnation }): [string, Seen] => {
        const before = this.#seen.get(node)
        return [node, before?.incarnation === incarnation ? before : { incarnation, sinceMs: nowMs }]
      }),
    )
  }

  /** Zero for a node that does not live. */
  ageMs(node: string, nowMs: number): number {
    const seen = this.#seen.get(node)
    return seen === undefined ? 0 : nowMs - seen.sinceMs
  }
}
