import { actorId, shardDigits } from '../../../src/domain/references.ts'
import type { DirectoryRow } from '../../../src/ports/directory.ts'
import type { TailPosition, TailRecord } from '../../../src/ports/journal.ts'
import type { RowKey } from '../../../src/ports/list-replicas.ts'
import type { SimulatedProcess } from '../simulated-process.ts'
import type { World } from '../world.ts'

export const TENANT = 't1'
export const KIND = 'credential'
/** A lease that nobody has renewed for so long is over; its node has stopped before. */
const DEAD_MS = 10_000
const RECORDS_PER_SHARD = 12
const HOUR_MS = 3_600_000
const STEPS_MAX = 4

type Owner = { readonly process: SimulatedProcess; readonly epoch: number }
type Lease = {
  readonly process: SimulatedProcess
  renewedMs: number
  readonly joinedMs: number
  isOver: boolean
}

export const keyOfId = (id: string): RowKey => ({ tenant: TENANT, kind: KIND, id })

/** The store that all nodes share: logs, leases, and what each record is. */
export class ListsTruth {
  readonly shards: number
  readonly rows = new Map<string, DirectoryRow>()
  readonly erased = new Set<string>()
  readonly gone = new Set<string>()
  readonly owners = new Map<number, Owner>()
  readonly leases = new Map<string, Lease>()
  readonly #world: World
  readonly #logs: { readonly actor: string; readonly epoch: number }[][]
  readonly #kept: number[]
  readonly #epochs: number[]
  #versions = 0

  constructor(world: World, shards: number) {
    this.#world = world
    this.shards = shards
    this.#logs = Array.from({ length: shards }, () => [])
    this.#kept = Array.from({ length: shards }, () => 0)
    this.#epochs = Array.from({ length: shards }, () => 0)
  }

  /** Every commit has a text of its own, so that one that was replaced is known wherever it stands. */
  commit(
    shard: number,
    change: 'write' | 'erase' | 'remove',
  ): { readonly id: string; readonly no: number } | null {
    const log = this.#logs[shard]
    const id = actorId('cre', shard, `0000000${this.#world.random.below(RECORDS_PER_SHARD).toString(36)}`)
    if (log === undefined || this.gone.has(id)) return null
    const isKnown = this.rows.has(id)
    if (change !== 'write' && !isKnown) return null
    if (change === 'erase') this.erased.add(id)
    if (change === 'remove') {
      this.rows.delete(id)
      this.gone.add(id)
    } else this.#write(id)
    log.push({ actor: id, epoch: this.owners.get(shard)?.epoch ?? 0 })
    return { id, no: log.length }
  }

  #write(id: string): void {
    const version = ++this.#versions
    const state = `state-${version % 3}`
    const before = this.rows.get(id)?.steps ?? []
    this.rows.set(id, {
      kind: KIND,
      id,
      tenant: TENANT,
      createdAtMs: 1,
      updatedAtMs: version,
      state,
      filters: {},
      externalId: null,
      searchText: this.erased.has(id) ? '' : `text ${version}`,
      steps: [...before, [state, version * HOUR_MS] as const].slice(-STEPS_MAX),
    })
  }

  /** How many records came into each state, hour by hour, as every node is to count them. */
  counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    const add = (at: string): void => void counts.set(at, (counts.get(at) ?? 0) + 1)
    for (const { state, steps = [] } of this.rows.values()) {
      add(`now ${state}`)
      for (const [name, atMs] of steps) add(`${atMs / HOUR_MS} ${name}`)
    }
    return counts
  }

  get hours(): number {
    return this.#versions + 1
  }

  own(shard: number, process: SimulatedProcess): number {
    const epoch = (this.#epochs[shard] ?? 0) + 1
    this.#epochs[shard] = epoch
    this.owners.set(shard, { process, epoch })
    return epoch
  }

  tail(shard: number, from: TailPosition | null, limit: number): readonly TailRecord[] {
    const read = from === null ? 0 : from.index < 0 ? from.no - 1 : from.no
    const first = Math.max(read, this.firstKeptNo(shard)) + 1
    const log = this.#logs[shard] ?? []
    return log.slice(first - 1, first - 1 + limit).map(({ actor, epoch }, at) => ({
      no: first + at,
      index: 0,
      epoch,
      entry: { actor, seq: 1, commandId: null, events: [], timersSet: [], timersCleared: [] },
    }))
  }

  firstKeptNo(shard: number): number {
    return this.#kept[shard] ?? 0
  }

  forget(shard: number, upTo: number): void {
    this.#kept[shard] = Math.max(this.firstKeptNo(shard), upTo)
  }

  actorsOf(shard: number): readonly string[] {
    return [...this.rows.keys(), ...this.gone].filter((id) => shardDigits(id) === shard)
  }

  /** False where the lease was over: the node has lost its shards, and has a new one. */
  renew(name: string, process: SimulatedProcess): boolean {
    const { nowMs } = this.#world
    const lease = this.leases.get(name)
    if (lease?.process === process && !lease.isOver) {
      lease.renewedMs = nowMs
      return true
    }
    for (const [shard, owner] of this.owners) if (owner.process === process) this.owners.delete(shard)
    this.leases.set(name, { process, renewedMs: nowMs, joinedMs: nowMs, isOver: false })
    return false
  }

  living(): readonly string[] {
    for (const lease of this.leases.values())
      if (this.#world.nowMs - lease.renewedMs >= DEAD_MS) lease.isOver = true
    return [...this.leases].filter(([, { isOver }]) => !isOver).map(([name]) => name)
  }

  /** The shards that somebody has to take: nobody has them, or a process without a lease. */
  orphans(): readonly number[] {
    const living = new Set(this.living().map((name) => this.leases.get(name)?.process))
    return Array.from({ length: this.shards }, (_, shard) => shard).filter((shard) => {
      const owner = this.owners.get(shard)
      return owner === undefined || !living.has(owner.process)
    })
  }
}
