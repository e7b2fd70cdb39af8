import type { DirectoryRow } from '../../../src/ports/directory.ts'
import type { SimulatedProcess } from '../simulated-process.ts'
import { Violation, type World } from '../world.ts'
import type { ListsNode } from './lists-node.ts'
import { KIND, keyOfId, type ListsTruth, TENANT } from './lists-truth.ts'
import { rowsIn } from './virtual-file.ts'

/** A node that has joined since then may not have been seen by whoever asked the store a moment ago. */
const JUST_JOINED_MS = 1_000

type Nodes = ReadonlyMap<string, ListsNode>
type Erasure = { readonly id: string; readonly witnesses: ReadonlySet<SimulatedProcess> }

export const livingOf = (nodes: Nodes): readonly ListsNode[] =>
  [...nodes.values()].filter(({ process }) => process.alive)

/** What must hold of the lists of all nodes, at any time and in the end. */
export class ListsChecks {
  readonly #world: World
  readonly #truth: ListsTruth
  readonly #nodes: Nodes
  readonly #names: readonly string[]
  readonly #erasures: Erasure[] = []
  #checked = 0

  constructor(world: World, truth: ListsTruth, nodes: Nodes, names: readonly string[]) {
    this.#world = world
    this.#truth = truth
    this.#nodes = nodes
    this.#names = names
  }

  get checked(): number {
    return this.#checked
  }

  erased(id: string, { name }: ListsNode): void {
    const { nowMs } = this.#world
    this.#world.note(() => `${name} has erased ${id}`)
    const living = this.#truth.living().flatMap((each) => this.#truth.leases.get(each) ?? [])
    const seen = living.filter(({ joinedMs, process }) => process.alive && joinedMs < nowMs - JUST_JOINED_MS)
    this.#erasures.push({ id, witnesses: new Set(seen.map(({ process }) => process)) })
    this.checkErasures()
  }

  /** No node that lived when it was answered has the text again, and none that is complete. */
  checkErasures(): void {
    for (const { id, witnesses } of this.#erasures)
      for (const node of livingOf(this.#nodes)) {
        if (!witnesses.has(node.process) && !node.lists.isComplete()) continue
        this.#checked++
        const text = rowsIn(node.file, [keyOfId(id)])[0]?.[9] ?? ''
        if (text !== '')
          this.#world.fail(new Violation(`${node.name} has "${text}" of ${id}, which is erased`))
      }
  }

  goneIn({ file }: ListsNode): readonly number[] {
    const after = null
    return file
      .recordsOf({ tenant: TENANT, kind: KIND, isOfOperators: false, after, limit: 1_000 })
      .filter(({ id }) => this.#truth.gone.has(id))
      .map(({ row }) => row)
  }

  checkPage(node: ListsNode, floor: ReadonlyMap<string, DirectoryRow>, rows: readonly DirectoryRow[]): void {
    const shown = new Map(rows.map((row) => [row.id, row.updatedAtMs]))
    for (const [id, { updatedAtMs }] of floor) {
      this.#checked++
      if (this.#truth.gone.has(id) || (shown.get(id) ?? 0) >= updatedAtMs) continue
      this.#world.fail(
        new Violation(
          `${node.name} shows ${id} as of ${shown.get(id) ?? 'never'}, and it was ${updatedAtMs}`,
        ),
      )
    }
  }

  /** Whatever was replayed, taken over, parted or filled anew: every file has counted each record as it is, once. */
  async checkCounts(): Promise<void> {
    const should = inOrder([...this.#truth.counts()])
    for (const name of this.#names) {
      const node = this.#nodes.get(name)
      // There is one organisation, so all together have what it has.
      for (const tenant of [TENANT, null]) {
        const is = node === undefined ? '' : await countsIn(node.file, tenant, this.#truth.hours)
        this.#checked++
        if (is !== should) this.#world.fail(new Violation(`${name} has counted ${is} instead of ${should}`))
      }
    }
  }

  /** What keeps the nodes from being the same as the records. */
  differences(): readonly string[] {
    const keys = [...this.#truth.rows.keys(), ...this.#truth.gone].map(keyOfId)
    return this.#names.flatMap((name) => {
      const node = this.#nodes.get(name)
      if (node?.process.alive !== true) return [`${name} is not back`]
      if (!node.lists.isComplete()) return [`${name} is not complete`]
      const there = new Map(rowsIn(node.file, keys).map((cells) => [cells[2], cells]))
      return keys.flatMap(({ id }) => {
        const [cells, row] = [there.get(id), this.#truth.rows.get(id)]
        const is = cells === undefined ? 'none' : `${cells[5]} ${cells[6]} "${cells[9]}"`
        const should = row === undefined ? 'none' : `${row.updatedAtMs} ${row.state} "${row.searchText}"`
        return is === should ? [] : [`${name} has ${id} as ${is} instead of ${should}`]
      })
    })
  }
}

type Counted = readonly (readonly [what: string, records: number])[]

const inOrder = (counted: Counted): string =>
  counted
    .map(([what, records]) => `${what}: ${records}`)
    .toSorted((one, other) => (one < other ? -1 : 1))
    .join()

const countsIn = async (file: ListsNode['file'], tenant: string | null, toHour: number): Promise<string> => {
  const lists = [{ kind: KIND, waiting: [] }]
  const [counted] = await file.overview({ tenant, lists, fromHour: 0, toHour, hoursEach: 1 })
  const entered = Object.entries(counted?.counts ?? {}).flatMap(([name, hours]) =>
    hours.flatMap((records, hour) => (records === 0 ? [] : [[`${hour} ${name}`, records] as const])),
  )
  const now = Object.entries(counted?.now ?? {}).map(([state, records]) => [`now ${state}`, records] as const)
  return inOrder([...entered, ...now])
}
