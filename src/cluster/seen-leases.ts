import { type NodeLease, stands } from '../ports/lease.ts'
import { RivalWatch } from './rival-watch.ts'

export type SeenLeasesParts = {
  /** This node, whose own row no watch of its own finds dead. */
  readonly node: string
  readonly read: () => Promise<readonly NodeLease[]>
  readonly monotonicMs: () => number
  readonly deadMs: number
  /** After a gap without a look the watch begins again. */
  readonly gapMaxMs: number
}

/** The rows of all nodes as this one last saw them. */
export class SeenLeases {
  readonly #parts: SeenLeasesParts
  readonly #rivals: RivalWatch
  #standing: readonly NodeLease[] = []
  #alive: readonly NodeLease[] = []
  #reading: Promise<unknown> | null = null
  #reads = 0
  #newestRead = 0

  constructor(parts: SeenLeasesParts) {
    this.#parts = parts
    this.#rivals = new RivalWatch(parts.deadMs, parts.gapMaxMs)
  }

  /** Those that have not left and were not declared dead, sorted by name; some of them only come. */
  get standing(): readonly NodeLease[] {
    return this.#standing
  }

  /** Those of them that take part. */
  get alive(): readonly NodeLease[] {
    return this.#alive
  }

  /** Reads the rows, and answers with those that are to be declared dead. */
  async look(): Promise<readonly NodeLease[]> {
    const { node, monotonicMs } = this.#parts
    const rows = await this.#read()
    return this.#rivals.observe(
      rows.filter((row) => row.node !== node),
      monotonicMs(),
    )
  }

  forget(node: string): void {
    this.#keep(this.#standing.filter((row) => row.node !== node))
  }

  /** Whether this is the process that has the name. Where the rows that were seen do not say so, they are read again. */
  async has(node: string, incarnation: string): Promise<boolean> {
    if (this.#hasSeen(node, incarnation)) return true
    // One read is shared by all who ask meanwhile, and may have begun before what they want to see.
    await this.#reading
    if (this.#hasSeen(node, incarnation)) return true
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null
    })
    await this.#reading
    return this.#hasSeen(node, incarnation)
  }

  #hasSeen(node: string, incarnation: string): boolean {
    return this.#standing.some((row) => row.node === node && row.incarnation === incarnation)
  }

  async #read(): Promise<readonly NodeLease[]> {
    const number = ++this.#reads
    const rows = await this.#parts.read()
    // Of two reads side by side the one that began first may end last, and knows less.
    if (number < this.#newestRead) return rows
    this.#newestRead = number
    this.#keep(rows.filter(stands).toSorted((one, other) => (one.node < other.node ? -1 : 1)))
    return rows
  }

  #keep(standing: readonly NodeLease[]): void {
    this.#standing = standing
    this.#alive = standing.filter(({ state }) => state === 'alive')
  }
}
