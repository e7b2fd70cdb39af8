import { describe, expect, it } from 'vitest'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import type { DirectoryRow } from '../../src/ports/directory.ts'
import { Random } from '../../tools/simulate/random.ts'
import { row } from './directory-rows.ts'
import { contents, node, openTerm, pull, SHARDS, type Node } from './replica-nodes.ts'

const SEEDS = Number(process.env['REPLICA_SEEDS'] ?? 40)
const FIRST_SEED = Number(process.env['REPLICA_SEED'] ?? 1)
const STEPS = 150
const HOUR_MS = 3_600_000
const RECORDS = 40
const STATES = ['offered', 'done', 'abandoned']

describe('files of several nodes', () => {
  it('become equal after any history of writes, owners, losses and parted histories', async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      const world = new History(seed)
      for (let step = 0; step < STEPS; step++) world.step(step)
      world.peace()
      const reference = node('truth')
      for (const { row: each, shard } of world.truth.values())
        reference.file.write(shard, [each], { no: 1, index: 0 })
      const expected = await contents(reference)
      for (const each of world.nodes)
        expect(await contents(each), `seed ${seed}, node ${each.name}`).toEqual(expected)
    }
  }, 240_000)
})

type Owner = { readonly at: Node; readonly epoch: number }

/** What records are, and the logs that say which of them changed: a new owner writes again what its file has not read. */
class History {
  readonly truth = new Map<string, { readonly row: DirectoryRow; readonly shard: number }>()
  readonly nodes = ['a', 'b', 'c'].map(node)
  readonly #logs = SHARDS.map(() => [] as string[])
  readonly #owners: Owner[]
  readonly #gone = new Set<string>()
  readonly #random: Random

  constructor(seed: number) {
    this.#random = new Random(seed)
    this.#owners = SHARDS.map(() => ({ at: this.#anyNode(), epoch: 1 }))
    for (const [shard, { at, epoch }] of this.#owners.entries()) openTerm(at, shard, epoch)
  }

  step(atMs: number): void {
    const shard = this.#random.below(SHARDS.length)
    const chance = this.#random.next()
    if (chance < 0.45) this.#commit(shard, atMs)
    else if (chance < 0.65) this.#project(shard, this.#random.next() < 0.3)
    else if (chance < 0.87) pull(this.#anyNode(), this.#owner(shard).at, [shard], this.#rows())
    else if (chance < 0.9) pull(this.#anyNode(), this.#anyNode(), [shard], this.#rows())
    else if (chance < 0.94) this.#move(shard)
    else if (chance < 0.98) this.#remove(shard)
    else this.#loseFile()
  }

  peace(): void {
    for (const shard of SHARDS) {
      this.#pullAll(shard)
      // A removal that a later owner had not heard of is ordered again, as by the effect that owes it.
      const left = [...this.#gone].filter((id) => id.startsWith(`r${shard}x`))
      this.#unlist(shard, left)
      this.#project(shard, false)
      this.#pullAll(shard)
    }
  }

  #pullAll(shard: number): void {
    for (const other of this.nodes)
      for (let turn = 0; turn < 50 && pull(other, this.#owner(shard).at, [shard]).length > 0; ) turn++
  }

  #commit(shard: number, atMs: number): void {
    const id = `r${shard}x${this.#random.below(RECORDS)}`
    if (this.#gone.has(id)) return
    const state = STATES[this.#random.below(STATES.length)] ?? ''
    const searchText = `text ${this.#random.below(5)}`
    const filters = { state }
    const steps = [...(this.truth.get(id)?.row.steps ?? []), [state, atMs * HOUR_MS] as const]
    this.truth.set(id, {
      shard,
      row: row(id, { tenant: tenantOf(shard), state, searchText, filters, updatedAtMs: atMs, steps }),
    })
    this.#logs[shard]?.push(id)
  }

  #project(shard: number, isPart: boolean): void {
    const { at, epoch } = this.#owner(shard)
    const log = this.#logs[shard] ?? []
    const from = at.file.positionOf(shard)?.no ?? 0
    const to = isPart ? from + this.#random.below(log.length - from + 1) : log.length
    const changed = [...new Set(log.slice(from, to))]
    const rows = changed.flatMap((id) => this.truth.get(id)?.row ?? [])
    at.file.writeAll([{ shard, rows, position: { no: to, index: 0 }, epoch }])
  }

  #move(shard: number): void {
    const at = this.#anyNode()
    const epoch = this.#owner(shard).epoch + 1
    if (this.#random.next() < 0.5) pull(at, this.#owner(shard).at, [shard])
    this.#owners[shard] = { at, epoch }
    openTerm(at, shard, epoch)
  }

  #remove(shard: number): void {
    const id = `r${shard}x${this.#random.below(RECORDS)}`
    if (!this.truth.delete(id)) return
    this.#gone.add(id)
    this.#unlist(shard, [id])
  }

  #unlist(shard: number, ids: readonly string[]): void {
    const { at, epoch } = this.#owner(shard)
    const keys = ids.map((id) => row(id, { tenant: tenantOf(shard) }))
    at.file.replicated((replicas) => replicas.unlistKeys(shard, epoch, keys))
  }

  /** Of a node that owns nothing: an owner whose file is lost reads the whole log again. */
  #loseFile(): void {
    const at = this.#anyNode()
    if (this.#owners.some((owner) => owner.at === at)) return
    at.file[Symbol.dispose]()
    at.file = new SqliteDirectory(':memory:', true)
  }

  #rows(): number {
    return this.#random.integer(1, 12)
  }

  #owner(shard: number): Owner {
    const owner = this.#owners[shard]
    if (owner === undefined) throw new RangeError('no such shard')
    return owner
  }

  #anyNode(): Node {
    const found = this.nodes[this.#random.below(this.nodes.length)]
    if (found === undefined) throw new RangeError('no such node')
    return found
  }
}

const tenantOf = (shard: number): string => (shard === 0 ? 't2' : 't1')
