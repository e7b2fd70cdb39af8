import { ClusterNode, type ClusterParts } from './cluster-node.ts'
import type { Faults } from './faults.ts'
import { type Clocks, SimulatedProcess, START_MS } from './simulated-process.ts'

/** Would-be owners that start, freeze, crash, leave and come back. */
export class Cluster {
  readonly #parts: ClusterParts
  readonly #faults: Faults
  readonly #running = new Map<string, ClusterNode>()
  readonly #clocks = new Map<string, Clocks>()
  #starts = 0

  constructor(parts: ClusterParts, faults: Faults, count: number) {
    this.#parts = parts
    this.#faults = faults
    const { random } = parts.world
    for (let number = 1; number <= count; number++) {
      this.#clocks.set(`n${number}`, {
        wallOffsetMs: random.between(-1, 1) * faults.wallOffsetMs,
        monotonicRate: 1 + random.between(-1, 1) * faults.monotonicDrift,
      })
    }
  }

  nodes(): readonly ClusterNode[] {
    return [...this.#running.values()]
  }

  start(): void {
    const { world } = this.#parts
    for (const [name, clocks] of this.#clocks)
      world.at(world.random.next() * 5_000, null, () => this.#start(name, clocks))
    this.#later(this.#faults.pausesPerMinute, () => this.#pauseOne())
    this.#later(this.#faults.cutsPerMinute, () => this.#cutOne())
    this.#later(this.#faults.outagesPerMinute, () => this.#outage())
    this.#later(world.random.chance(0.4) ? 2 : 0, () => this.#stopOne())
  }

  /** It dies and does not come back. */
  bury(name: string): void {
    this.#clocks.delete(name)
    this.#running.get(name)?.process.crash()
  }

  /** From here on nothing is disturbed any more, after a last power cut in every other schedule. */
  heal(): void {
    const { world } = this.#parts
    if (world.random.chance(0.5)) for (const { process } of this.nodes()) process.crash()
    world.healed = true
    world.note(() => 'everything is mended')
  }

  /** The time on the clock that runs furthest behind. */
  earliestNowMs(): number {
    const offsets = [...this.#clocks.values()].map(({ wallOffsetMs }) => wallOffsetMs)
    return START_MS + this.#parts.world.nowMs + Math.min(...offsets)
  }

  #start(name: string, clocks: Clocks): void {
    const { world } = this.#parts
    const processName = `${name}.${++this.#starts}`
    const process = new SimulatedProcess(world, processName, clocks, this.#faults.crash, () => {
      this.#running.delete(name)
      world.at(world.random.next() ** 2 * 20_000, null, () => {
        if (this.#clocks.has(name)) this.#start(name, clocks)
      })
    })
    world.note(() => `${processName} starts`)
    const node = new ClusterNode(this.#parts, process)
    this.#running.set(name, node)
    world.at(0, process, () => node.start())
  }

  #pauseOne(): void {
    const nodes = this.nodes()
    if (nodes.length === 0) return
    const { random } = this.#parts.world
    const { process } = random.pick(nodes)
    const ms = this.#some(this.#faults.pauseMs)
    if (random.chance(this.#faults.suspendedShare)) process.suspend(ms)
    else process.pause(ms)
  }

  #cutOne(): void {
    const { world } = this.#parts
    const nodes = this.nodes()
    if (nodes.length === 0) return
    const { process } = world.random.pick(nodes)
    process.cutOffUntilMs = world.nowMs + this.#some(this.#faults.cutMs)
    world.note(() => `${process.name} is cut off from the store until ${process.cutOffUntilMs.toFixed(0)}`)
  }

  #outage(): void {
    const { world, network } = this.#parts
    network.awayUntilMs = world.nowMs + this.#some(this.#faults.outageMs)
    world.note(() => `the store is away until ${network.awayUntilMs.toFixed(0)}`)
  }

  #stopOne(): void {
    const { world } = this.#parts
    const nodes = this.nodes().filter(({ leaving }) => !leaving)
    if (nodes.length === 0) return
    const node = world.random.pick(nodes)
    world.at(0, node.process, () => {
      world.note(() => `${node.process.name} is told to stop`)
      node.stop().then(
        () => node.process.crash(),
        () => node.process.crash(),
      )
    })
  }

  #some(ms: number): number {
    return ms * this.#parts.world.random.between(0.3, 1.3)
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
