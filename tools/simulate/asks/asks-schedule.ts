import { actorId } from '../../../src/domain/references.ts'
import { shardLogDefaults } from '../../../src/persistence/shard-log-settings.ts'
import { forgetActorSystems } from '../actor-systems.ts'
import { drawFaults, type Faults } from '../faults.ts'
import { withVirtualImmediates } from '../immediates.ts'
import { ModelStore } from '../model-store.ts'
import { Network } from '../network.ts'
import { Outside } from '../outside.ts'
import { Random } from '../random.ts'
import type { ScheduleResult } from '../schedule.ts'
import { SimulatedProcess } from '../simulated-process.ts'
import { ModelLeases } from '../store-clients.ts'
import { Truth } from '../truth.ts'
import { Violation, World } from '../world.ts'
import { AsksNode, type AsksParts } from './asks-node.ts'
import type { AsksVariant } from './asks-variants.ts'
import { Caller } from './caller.ts'
import { commandsOutOfOrder } from './command-order.ts'
import { drawFrameFaults, Frames } from './frames.ts'
import { ModelMap } from './model-map.ts'
import { Remover } from './remover.ts'
import { Witness } from './witness.ts'

const HEAL_LIMIT_MS = 240_000
const CHECK_MS = 500

/** One adversarial run of asks between nodes whose shards move, decided by its seed alone. */
export const runAsksSchedule = async (
  seed: number,
  variant: AsksVariant,
  traced: boolean,
): Promise<ScheduleResult> => {
  Error.stackTraceLimit = traced ? 10 : 0
  const world = new World(new Random(seed), traced)
  let slots = 0
  let violation: Error | null = null
  try {
    slots = await withVirtualImmediates(world, () => play(world, variant))
  } catch (error) {
    violation = error as Error
  } finally {
    forgetActorSystems()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { seed, violation, steps: world.steps, slots, trace: world.trace }
}

const play = async (world: World, variant: AsksVariant): Promise<number> => {
  const { random } = world
  const faults: Faults = { ...drawFaults(random), ...variant.faults }
  const truth = new Truth(world)
  const shardCount = random.pick([1, 2, 3])
  const names = ['n1', 'n2', 'n3'].slice(0, random.pick([2, 3]))
  const outside = new Outside(world, truth)
  const network = new Network(world, faults)
  const parts: AsksParts = {
    world,
    model: new ModelStore(truth, 64, random.chance(0.3), () => null),
    map: new ModelMap(world, names, shardCount),
    frames: new Frames(world, { ...drawFrameFaults(random), ...variant.frameFaults }, names),
    leases: new ModelLeases(),
    network,
    outside,
    witness: new Witness(world, truth),
    journalSettings: {
      ...shardLogDefaults,
      attemptTimeoutMs: 3_000,
      closeTimeoutMs: 5_000,
      publishedReader: null,
    },
    askSettings: { waitingPerShardMax: random.pick([2, 100]), inFlightPerNodeMax: random.pick([2, 100]) },
    variant,
  }
  const nodes = new Nodes(parts, faults, names)
  const activeMs = random.between(15_000, 60_000)
  const actors = Array.from({ length: 1 + random.below(4) }, (_, index) =>
    actorId('cnt', index % shardCount, `0000000${index}`),
  )
  const around = { world, truth, actors, nodes: () => nodes.running() }
  const callers = Array.from(
    { length: 1 + random.below(4) },
    (_, index) => new Caller(`c${index}`, around, 4 + random.below(12), activeMs),
  )
  const removers = Array.from(
    { length: random.below(3) },
    (_, index) => new Remover(index, random.below(shardCount), around),
  )
  nodes.start()
  for (const each of [...callers, ...removers]) each.start()
  await world.run(activeMs, () => false)
  nodes.heal()
  let checkedMs = 0
  const areFinished = (): boolean => [...callers, ...removers].every(({ isFinished }) => isFinished)
  await world.run(activeMs + HEAL_LIMIT_MS, () => {
    if (world.nowMs < checkedMs + CHECK_MS) return false
    checkedMs = world.nowMs
    return areFinished()
  })
  if (!areFinished()) throw new Violation('after everything was mended: commands without an answer')
  const disorder = commandsOutOfOrder(truth, shardCount)
  if (disorder !== null) throw new Violation(disorder)
  return Array.from({ length: shardCount }, (_, shard) => truth.lengthOf(shard)).reduce((a, b) => a + b, 0)
}

/** Processes that start, freeze, crash and come back, and whoever decides where their shards are to be. */
class Nodes {
  readonly #parts: AsksParts
  readonly #faults: Faults
  readonly #names: readonly string[]
  readonly #running = new Map<string, AsksNode>()
  #starts = 0

  constructor(parts: AsksParts, faults: Faults, names: readonly string[]) {
    this.#parts = parts
    this.#faults = faults
    this.#names = names
  }

  running(): readonly AsksNode[] {
    return [...this.#running.values()]
  }

  start(): void {
    const { world } = this.#parts
    const { random } = world
    for (const name of this.#names) world.at(random.next() * 2_000, null, () => this.#startNode(name))
    this.#later(random.pick([0, 6, 20]), () => this.#move())
    this.#later(this.#faults.pausesPerMinute, () =>
      this.#withOne(({ process }, ms) => process.pause(ms), 'pauseMs'),
    )
    this.#later(this.#faults.cutsPerMinute, () =>
      this.#withOne(({ process }, ms) => {
        process.cutOffUntilMs = world.nowMs + ms
      }, 'cutMs'),
    )
    world.at(1_000, null, () => this.#leaveTheDead())
  }

  heal(): void {
    const { world } = this.#parts
    if (world.random.chance(0.5)) for (const { process } of this.running()) process.crash()
    world.healed = true
    world.note(() => 'everything is mended')
  }

  #startNode(name: string): void {
    const { world } = this.#parts
    const clocks = {
      wallOffsetMs: 0,
      monotonicRate: 1 + world.random.between(-1, 1) * this.#faults.monotonicDrift,
    }
    const process = new SimulatedProcess(
      world,
      `${name}.${++this.#starts}`,
      clocks,
      this.#faults.crash,
      () => {
        this.#running.delete(name)
        world.at(world.random.next() ** 2 * 20_000, null, () => this.#startNode(name))
      },
    )
    world.note(() => `${process.name} starts`)
    const node = new AsksNode(this.#parts, name, process)
    this.#running.set(name, node)
    world.at(0, process, () => node.start())
  }

  #move(): void {
    const { map, world } = this.#parts
    map.change(world.random.below(map.map.places.length), () => ({ desired: world.random.pick(this.#names) }))
  }

  /** A shard of a node without a lease goes to one that has one. */
  #leaveTheDead(): void {
    const { map, leases, world } = this.#parts
    const alive = this.#names.filter((name) => leases.rows.get(name)?.state === 'alive')
    for (const [shard, { desired }] of map.map.places.entries())
      if (alive.length > 0 && !alive.includes(desired ?? ''))
        map.change(shard, () => ({ desired: world.random.pick(alive), owner: null }))
    world.at(1_000, null, () => this.#leaveTheDead())
  }

  #withOne(disturb: (node: AsksNode, ms: number) => void, kind: 'pauseMs' | 'cutMs'): void {
    const { random } = this.#parts.world
    const nodes = this.running()
    if (nodes.length > 0) disturb(random.pick(nodes), this.#faults[kind] * random.between(0.3, 1.3))
  }

  #later(perMinute: number, happen: () => void): void {
    if (perMinute === 0) return
    const { world } = this.#parts
    world.at((world.random.next() * 120_000) / perMinute, null, () => {
      if (world.healed) return
      happen()
      this.#later(perMinute, happen)
    })
  }
}
