import { actorId, shardDigits } from '../../src/domain/references.ts'
import { FactsNetwork } from './facts-link.ts'
import { FactsNode, type FactsNodeParts } from './facts-node.ts'
import { FactsTruth } from './facts-truth.ts'
import type { FactsVariant } from './facts-variants.ts'
import { withVirtualImmediates } from './immediates.ts'
import { Random } from './random.ts'
import type { ScheduleResult } from './schedule.ts'
import { SimulatedProcess } from './simulated-process.ts'
import { Violation, World } from './world.ts'

const ACTIVE_MS = 60_000
const HEAL_MS = 40_000
/** What a change may take when everything works but one node that had copies: the lease, and some hops. */
const TAKEOVER_MS = 4_000
/** Two tries, a move and calls back; less than a lease, for which nobody waits where each owner hears of the one before. */
const CALM_ANSWER_MS_MAX = 4_000

const CALM_BETWEEN_MOVES_MS = 1_500

/** One adversarial run of leased copies, decided by its seed alone. */
export const runFactsSchedule = async (
  seed: number,
  variant: FactsVariant,
  traced: boolean,
): Promise<ScheduleResult> => {
  Error.stackTraceLimit = traced ? 10 : 0
  const world = new World(new Random(seed), traced)
  let [violation, reads]: [Error | null, number] = [null, 0]
  try {
    reads = await withVirtualImmediates(world, () => new FactsSchedule(world, variant).play())
  } catch (error) {
    violation = error as Error
  }
  // Once around the event loop, so that what is unreachable now can go.
  await new Promise((resolve) => setImmediate(resolve))
  return { seed, violation, steps: world.steps, slots: reads, trace: world.trace }
}

class FactsSchedule {
  readonly #world: World
  readonly #truth: FactsTruth
  readonly #network: FactsNetwork
  readonly #parts: FactsNodeParts
  readonly #nodes = new Map<string, FactsNode>()
  readonly #names: readonly string[]
  readonly #actors: readonly string[]
  readonly #shards: readonly number[]
  #commands = 0
  #waiting = 0
  #movedMs = 0

  constructor(world: World, variant: FactsVariant) {
    const { random } = world
    this.#world = world
    this.#truth = new FactsTruth(world)
    const isCalm = random.chance(0.2)
    const maybe = (most: number): number => (!isCalm && random.chance(0.6) ? random.next() ** 2 * most : 0)
    const faults = { lost: maybe(0.1), doubled: maybe(0.1), late: maybe(0.1) }
    const [latencyMs, lateMs] = [
      random.pick(isCalm ? [1, 20] : [1, 20, 200]),
      random.pick([300, 3_000, 12_000]),
    ]
    this.#network = new FactsNetwork(world, { ...faults, latencyMs, lateMs })
    const bounds = { holdersMax: random.pick([16, 16, 1]), copiesMax: random.pick([100, 100, 1]) }
    const settings = { ...bounds, changedMax: isCalm ? 100 : random.pick([100, 0]) }
    this.#parts = { world, truth: this.#truth, settings, variant, isCalm }
    this.#names = random.pick([
      ['n1', 'n2'],
      ['n1', 'n2', 'n3'],
      ['n1', 'n2', 'n3'],
    ])
    this.#shards = random.pick([[0], [0, 1]])
    this.#actors = Array.from({ length: 1 + random.below(3) }, (_, index) =>
      actorId('key', index % this.#shards.length, `0000000${index}`),
    )
  }

  async play(): Promise<number> {
    const world = this.#world
    for (const name of this.#names) this.#start(name)
    for (const shard of this.#shards) this.#owner(shard)
    const { random } = world
    const perMinute = (most: number): number => (random.chance(0.6) ? random.next() * most : 0)
    this.#often(60_000 / (4 + random.next() * 30), () => this.#change())
    this.#often(20 + random.next() * 400, () => this.#read())
    this.#sometimes(perMinute(20), () => this.#move())
    if (!this.#parts.isCalm) {
      this.#sometimes(perMinute(6), () => this.#freeze())
      this.#sometimes(perMinute(8), () => this.#cut())
      this.#sometimes(perMinute(3), () => random.pick([...this.#nodes.values()]).process.crash())
    }
    await world.run(ACTIVE_MS, () => false)
    world.healed = true
    world.note(() => 'everything is mended')
    await world.run(ACTIVE_MS + HEAL_MS, () => false)
    if (this.#waiting > 0) throw new Violation(`${this.#waiting} changes were never answered`)
    await this.#allSeeTheNewest()
    return this.#truth.reads
  }

  #start(name: string): void {
    const { random } = this.#world
    const clocks = {
      wallOffsetMs: random.between(-1, 1) * 600_000,
      monotonicRate: 1 + random.between(-1, 1) * random.pick([0, 0.001, 0.02]),
    }
    const process = new SimulatedProcess(this.#world, name, clocks, 0, () => {
      this.#world.at(random.next() * 8_000, null, () => this.#start(name))
    })
    const node = new FactsNode(this.#parts, name, process, this.#network.linkOf(name, process))
    this.#nodes.set(name, node)
  }

  /** Whoever cannot be known to live is replaced after a while. */
  #owner(shard: number): void {
    const world = this.#world
    // What is let go in good order is opened by the node that it is for.
    if (this.#parts.isCalm && this.#truth.ownerOf(shard) !== null) return
    const node = this.#ownerOf(shard)
    const isServed =
      node !== undefined &&
      node.process.alive &&
      node.process.pausedUntilMs <= world.nowMs &&
      node.serves(shard)
    if (!isServed) {
      const living = [...this.#nodes.values()].filter(
        ({ process }) => process.alive && process.pausedUntilMs <= world.nowMs,
      )
      const next = living.length > 0 ? world.random.pick(living) : null
      if (next !== null) world.at(0, next.process, () => next.open(shard))
    }
    world.at(TAKEOVER_MS * (0.5 + world.random.next()), null, () => this.#owner(shard))
  }

  #ownerOf(shard: number): FactsNode | undefined {
    const node = this.#truth.ownerOf(shard)?.node ?? null
    return node === null ? undefined : this.#nodes.get(node)
  }

  #change(): void {
    const world = this.#world
    if (world.healed) return
    const actor = world.random.pick(this.#actors)
    const command = `c${++this.#commands}`
    this.#waiting++
    const cameMs = world.nowMs
    const answered = (): void => {
      this.#waiting--
      const tookMs = world.nowMs - cameMs
      if (this.#parts.isCalm && tookMs > CALM_ANSWER_MS_MAX)
        world.fail(new Violation(`${command} took ${tookMs.toFixed(0)} ms, and nothing was in the way`))
    }
    const attempt = (): void => {
      const again = (): void => void world.at(200 + world.random.next() * 400, null, attempt)
      const node = this.#ownerOf(shardDigits(actor))
      if (node === undefined || !node.process.alive) return again()
      let isOver = false
      const over = (then: () => void) => () => {
        if (isOver) return
        isOver = true
        then()
      }
      world.at(0, node.process, () => {
        node.change(actor, command).then((version) => {
          // Also an answer that nobody waits for any more is one.
          this.#truth.answered(actor, version, node.name)
          over(answered)()
        }, over(again))
      })
      world.at(world.random.pick([1_000, 10_000]), null, over(again))
    }
    attempt()
  }

  #read(): void {
    const { random } = this.#world
    const node = random.pick([...this.#nodes.values()])
    const actor = random.pick(this.#actors)
    this.#world.at(0, node.process, () => void this.#readAt(node, actor))
  }

  async #readAt(node: FactsNode, actor: string): Promise<unknown> {
    const floor = this.#truth.floorOf(actor)
    try {
      const answer = node.read(actor)
      const version: unknown = answer instanceof Promise ? await answer : answer
      this.#truth.shown(actor, version, floor, node.name)
      return version
    } catch (error) {
      if (error instanceof Violation) this.#world.fail(error)
      return null
    }
  }

  #move(): void {
    const { random } = this.#world
    const owners = [...this.#nodes.values()].filter(({ process }) => process.alive)
    if (owners.length === 0) return
    const [from, to] = [random.pick(owners), random.pick(owners)]
    const shard = from.owned()[0]
    if (shard === undefined || from === to) return
    const { nowMs } = this.#world
    // Word of the move before has come by then.
    if (this.#parts.isCalm && nowMs - this.#movedMs < CALM_BETWEEN_MOVES_MS) return
    this.#movedMs = nowMs
    this.#world.at(0, from.process, () => void from.close(shard, to))
  }

  #freeze(): void {
    const { random } = this.#world
    const { process } = random.pick([...this.#nodes.values()])
    const ms = random.pick([300, 2_000, 6_000, 12_000]) * random.between(0.3, 1.3)
    if (random.chance(0.4)) process.suspend(ms)
    else process.pause(ms)
  }

  #cut(): void {
    const { random } = this.#world
    const [from, to] = [random.pick(this.#names), random.pick(this.#names)]
    const ms = random.pick([1_000, 6_000, 15_000]) * random.between(0.3, 1.3)
    this.#network.cut(from, to, ms)
    if (random.chance(0.3)) this.#network.cut(to, from, ms)
  }

  /** With nothing in the way every node answers, and with what there is. */
  async #allSeeTheNewest(): Promise<void> {
    const world = this.#world
    const wanted = [...this.#nodes.values()].flatMap((node) => this.#actors.map((actor) => ({ node, actor })))
    let right = 0
    // A node that learns only now that it lost a shard fails once, and may be asked again.
    const read = (node: FactsNode, actor: string): void => {
      void this.#readAt(node, actor).then((version) => {
        if (version === this.#truth.versionOf(actor)) right++
        else world.at(100, node.process, () => read(node, actor))
      })
    }
    for (const { node, actor } of wanted) world.at(0, node.process, () => read(node, actor))
    await world.run(ACTIVE_MS + HEAL_MS + 10_000, () => right === wanted.length)
    if (right < wanted.length) throw new Violation(`${wanted.length - right} reads were not answered rightly`)
  }

  #often(everyMs: number, happen: () => void): void {
    this.#world.at(this.#world.random.next() * 2 * everyMs, null, () => {
      if (this.#world.healed) return
      happen()
      this.#often(everyMs, happen)
    })
  }

  #sometimes(perMinute: number, happen: () => void): void {
    if (perMinute > 0) this.#often(60_000 / perMinute, happen)
  }
}
