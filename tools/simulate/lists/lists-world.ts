import type { SqliteDirectory } from '../../../src/directory/sqlite-directory.ts'
import { FactsNetwork } from '../facts-link.ts'
import { runPlay, type ScheduleResult } from '../schedule.ts'
import { SimulatedProcess } from '../simulated-process.ts'
import { Violation, type World } from '../world.ts'
import { ListsChecks, livingOf } from './lists-checks.ts'
import { ListsNode, type ListsNodeParts } from './lists-node.ts'
import { KIND, ListsTruth, TENANT } from './lists-truth.ts'
import type { ListsVariant } from './lists-variants.ts'
import { newFile } from './virtual-file.ts'

const ACTIVE_MS = 40_000
const HEAL_MS = 120_000
const NODES = ['n1', 'n2', 'n3']
const PATIENCE_MS = 4_000
const ALL = {
  page: 1,
  pageSize: 1_000,
  q: null,
  states: [],
  externalId: null,
  fromMs: null,
  toMs: null,
  filters: {},
}

/** One adversarial run of lists whose shards move and whose nodes die, decided by its seed alone. */
export const runListsSchedule = (
  seed: number,
  variant: ListsVariant,
  traced: boolean,
): Promise<ScheduleResult> =>
  runPlay(seed, traced, async (world) => {
    const schedule = new ListsSchedule(world, variant)
    try {
      return await schedule.play()
    } finally {
      schedule.close()
    }
  })

class ListsSchedule {
  readonly #world: World
  readonly #truth: ListsTruth
  readonly #network: FactsNetwork
  readonly #parts: ListsNodeParts
  readonly #nodes = new Map<string, ListsNode>()
  readonly #files = new Map<string, SqliteDirectory>()
  readonly #checks: ListsChecks

  constructor(world: World, variant: ListsVariant) {
    const { random } = world
    this.#world = world
    this.#truth = new ListsTruth(world, random.pick([1, 2]))
    this.#checks = new ListsChecks(world, this.#truth, this.#nodes, NODES)
    const maybe = (most: number): number => (random.chance(0.6) ? random.next() ** 2 * most : 0)
    const faults = { lost: maybe(0.1), doubled: maybe(0.1), late: maybe(0.1) }
    this.#network = new FactsNetwork(world, {
      ...faults,
      latencyMs: random.pick([1, 20, 100]),
      lateMs: random.pick([300, 3_000]),
    })
    const settings = {
      gatherMs: random.pick([1, 200]),
      holdMs: 1_000,
      requestTimeoutMs: 2_000,
      peerMs: random.pick([300, 1_000]),
      patienceMs: PATIENCE_MS,
      recentMax: random.pick([1, 1_000]),
    }
    this.#parts = { world, truth: this.#truth, settings, variant }
  }

  close(): void {
    for (const node of this.#nodes.values()) node.process.alive = false
    for (const file of this.#files.values()) file[Symbol.dispose]()
  }

  async play(): Promise<number> {
    const world = this.#world
    const { random } = world
    for (const name of NODES) this.#start(name)
    this.#takeOrphans()
    const perMinute = (most: number): number => (random.chance(0.6) ? random.next() * most : 0)
    this.#often(60 + random.next() * 400, () => this.#commit('write'))
    this.#often(2_000, () => this.#commit('erase'))
    this.#often(4_000, () => this.#commit('remove'))
    this.#often(500, () => this.#list())
    this.#often(400, () => this.#checks.checkErasures())
    this.#sometimes(perMinute(40), () => this.#move())
    this.#sometimes(perMinute(6), () => this.#crash())
    this.#sometimes(perMinute(8), () => random.pick(this.#living()).process.pause(random.next() * 14_000))
    this.#sometimes(perMinute(12), () => this.#cut())
    await world.run(ACTIVE_MS, () => false)
    world.healed = true
    world.note(() => 'everything is mended')
    this.#removeAgain()
    let lookedMs = world.nowMs
    await world.run(ACTIVE_MS + HEAL_MS, () => {
      if (world.nowMs < lookedMs + 250) return false
      lookedMs = world.nowMs
      return this.#checks.differences().length === 0
    })
    const [difference] = this.#checks.differences()
    if (difference !== undefined) throw new Violation(`after everything was mended: ${difference}`)
    await this.#checks.checkCounts()
    await this.#eraseAll()
    return this.#checks.checked
  }

  #living(): readonly ListsNode[] {
    return livingOf(this.#nodes)
  }

  #start(name: string): void {
    const world = this.#world
    const clocks = { wallOffsetMs: 0, monotonicRate: 1 }
    const process = new SimulatedProcess(world, name, clocks, 0, () => {
      world.at(world.random.pick([500, 5_000, 20_000]) * world.random.next(), null, () => this.#restart(name))
    })
    world.at(0, process, () => {
      const file = this.#files.get(name) ?? newFile()
      this.#files.set(name, file)
      this.#nodes.set(
        name,
        new ListsNode(this.#parts, name, process, file, this.#network.linkOf(name, process)),
      )
    })
  }

  #restart(name: string): void {
    const { random } = this.#world
    if (random.chance(0.2)) {
      this.#world.note(() => `the file of ${name} is lost`)
      this.#files.get(name)?.[Symbol.dispose]()
      this.#files.delete(name)
    }
    this.#start(name)
  }

  #crash(): void {
    this.#world.random.pick(this.#living()).process.crash()
  }

  /** What nobody serves is given to somebody who lives, as by the map. */
  #takeOrphans(): void {
    const world = this.#world
    for (const shard of this.#truth.orphans()) {
      const living = this.#living().filter(({ process }) => process.pausedUntilMs <= world.nowMs)
      if (living.length === 0) continue
      const node = world.random.pick(living)
      world.at(world.random.next() * 300, node.process, () => {
        if (this.#truth.orphans().includes(shard)) node.open(shard)
      })
    }
    world.at(300 + world.random.next() * 700, null, () => this.#takeOrphans())
  }

  /** A planned move, and sometimes the way back at once. */
  #move(): void {
    const { random } = this.#world
    const shard = random.below(this.#truth.shards)
    const owner = this.#ownerOf(shard)
    if (owner === null) return
    const to = random.pick(this.#living())
    const take = (from: ListsNode, next: ListsNode, then: () => void): void => {
      this.#world.at(0, from.process, () => {
        if (!from.serves(shard)) return
        from.release(shard)
        this.#world.at(random.next() * 400, next.process, () => {
          if (this.#truth.owners.has(shard)) return
          next.open(shard)
          then()
        })
      })
    }
    take(owner, to, () => {
      if (!random.chance(0.4)) return
      this.#world.at(random.next() * 700, to.process, () => take(to, owner, () => undefined))
    })
  }

  #cut(): void {
    const { random } = this.#world
    const [from, to] = [random.pick(NODES), random.pick(NODES)]
    const ms = random.pick([1_000, 6_000, 15_000]) * random.next()
    this.#network.cut(from, to, ms)
    if (random.chance(0.5)) this.#network.cut(to, from, ms)
  }

  #ownerOf(shard: number): ListsNode | null {
    const owner = this.#truth.owners.get(shard)
    return this.#living().find(({ process }) => process === owner?.process) ?? null
  }

  #commit(change: 'write' | 'erase' | 'remove'): void {
    const shard = this.#world.random.below(this.#truth.shards)
    const owner = this.#ownerOf(shard)
    if (owner === null) return
    this.#world.at(0, owner.process, () => {
      if (!owner.serves(shard)) return
      const committed = this.#truth.commit(shard, change)
      if (committed === null) return
      const { id, no } = committed
      const version = this.#truth.rows.get(id)?.updatedAtMs ?? 'none'
      this.#world.note(() => `${owner.name} commits ${change} ${id} as ${version}, slot ${no}`)
      owner.committed(shard, committed.no)
      if (change === 'erase') this.#erase(committed.id)
      if (change === 'remove') this.#remove()
    })
  }

  #erase(id: string): void {
    const node = this.#world.random.pick(this.#living())
    this.#world.at(0, node.process, () => {
      void node.lists.clearedOf(id).then(
        () => this.#checks.erased(id, node),
        (error: unknown) => this.#world.note(() => `${node.name} cannot erase ${id}: ${String(error)}`),
      )
    })
  }

  /** Rows of records that are gone, as the deletion of an organisation takes them out. */
  #remove(): void {
    const node = this.#world.random.pick(this.#living())
    this.#world.at(0, node.process, () => {
      void node.lists
        .caughtUp()
        .then(() => node.lists.unlist(this.#checks.goneIn(node)))
        .catch((error: unknown) => this.#world.note(() => `${node.name} cannot unlist: ${String(error)}`))
    })
  }

  #removeAgain(): void {
    const living = this.#living().filter((node) => this.#checks.goneIn(node).length > 0)
    if (living.length > 0) this.#remove()
    this.#world.at(2_000, null, () => this.#removeAgain())
  }

  /** What was committed before the question is in a list that did not run out of patience. */
  #list(): void {
    const world = this.#world
    const node = world.random.pick(this.#living())
    world.at(0, node.process, () => {
      const askedMs = world.nowMs
      const floor = new Map(this.#truth.rows)
      world.note(() => `${node.name} is asked for a list`)
      void node.lists.list({ ...ALL, tenant: TENANT, kind: KIND }).then(
        ({ rows }) => {
          world.note(() => `${node.name} shows the list that was asked at ${askedMs.toFixed(1)}`)
          if (world.nowMs - askedMs < PATIENCE_MS) this.#checks.checkPage(node, floor, rows)
        },
        () => undefined,
      )
    })
  }

  /** With nothing in the way every erasure is answered. */
  async #eraseAll(): Promise<void> {
    const world = this.#world
    const ids = [...this.#truth.erased].filter((id) => this.#truth.rows.has(id))
    let [answered, failure] = [0, '']
    for (const id of ids) {
      const node = world.random.pick(this.#living())
      world.at(0, node.process, () => {
        void node.lists.clearedOf(id).then(
          () => (answered++, this.#checks.erased(id, node)),
          (error: unknown) => (failure = String(error)),
        )
      })
    }
    const endMs = world.nowMs + 15_000
    await world.run(endMs, () => answered === ids.length || failure !== '')
    if (answered < ids.length) throw new Violation(`an erasure was not answered: ${failure}`)
  }

  #often(everyMs: number, happen: () => void): void {
    this.#world.at(this.#world.random.next() * 2 * everyMs, null, () => {
      if (this.#world.healed) return
      if (this.#living().length > 0) happen()
      this.#often(everyMs, happen)
    })
  }

  #sometimes(perMinute: number, happen: () => void): void {
    if (perMinute > 0) this.#often(60_000 / perMinute, happen)
  }
}
