import type { LeaseStore } from '../../../src/ports/lease.ts'
import { Touch } from '../../../src/cluster/in-touch.ts'
import { gapMaxMs, LeaseKeeper, leaseDefaults } from '../../../src/cluster/lease.ts'
import { CALM, type Faults } from '../../../tools/simulate/faults.ts'
import { Network } from '../../../tools/simulate/network.ts'
import { Random } from '../../../tools/simulate/random.ts'
import { SimulatedProcess } from '../../../tools/simulate/simulated-process.ts'
import { ModelLeases } from '../../../tools/simulate/store-clients.ts'
import { World } from '../../../tools/simulate/world.ts'

export const touchSettings = { comeInMs: 5_000, outOfTouchMs: 20_000, gapMaxMs: gapMaxMs(leaseDefaults) }

export type Change = (store: LeaseStore) => LeaseStore
export type StartedNode = { readonly keeper: LeaseKeeper; readonly process: SimulatedProcess }
type Options = {
  readonly change?: Change
  readonly wallOffsetMs?: number
  /** Without links a node takes part at once. */
  readonly isLinked?: boolean
}

/** The leases of a few nodes in virtual time, and the links between them as far as the test says. */
export class LeasedNodes {
  readonly world: World
  readonly leases = new ModelLeases()
  readonly #network: Network
  readonly #started: (StartedNode & { readonly name: string })[] = []
  readonly #cut = new Set<string>()
  readonly left: string[] = []

  constructor(seed = 1, faultsOf: (random: Random) => Faults = () => CALM) {
    this.world = new World(new Random(seed), false)
    this.#network = new Network(this.world, faultsOf(this.world.random))
  }

  start(
    name: string,
    { change = (store) => store, wallOffsetMs = 0, isLinked = false }: Options = {},
  ): StartedNode {
    const process = new SimulatedProcess(this.world, name, { wallOffsetMs, monotonicRate: 1 }, 0, () => {})
    const store = change(this.leases.storeFor(process, this.#network))
    const node = { node: name, address: '' }
    const keeper = new LeaseKeeper(store, process.runtime, leaseDefaults, node)
    const own = () => ({ node: name, reached: new Set(isLinked ? this.#reachedFrom(name) : []) })
    const touch = new Touch({ own, settings: touchSettings, leaves: () => this.left.push(name) })
    keeper.start('', isLinked ? touch : null)
    this.#started.push({ name, keeper, process })
    return { keeper, process }
  }

  /** No connection between the two until it is mended. */
  cut(one: string, other: string): void {
    this.#cut.add(`${one} ${other}`).add(`${other} ${one}`)
  }

  mend(): void {
    this.#cut.clear()
  }

  /** As links are: between processes that run and whose names stand in the leases. */
  #reachedFrom(name: string): readonly string[] {
    const there = this.#started
      .filter(({ process }) => process.alive && process.pausedUntilMs <= this.world.nowMs)
      .filter(({ keeper }) => keeper.incarnation() !== null)
      .map((each) => each.name)
    if (!there.includes(name)) return []
    return there.filter((other) => other !== name && !this.#cut.has(`${name} ${other}`))
  }

  async pass(ms: number): Promise<void> {
    const endMs = this.world.nowMs + ms
    this.world.at(ms, null, () => {})
    await this.world.run(endMs, () => this.world.nowMs >= endMs)
  }

  /** The time until it is so, in steps of 100 ms. */
  async until(isSo: () => boolean, limitMs = 60_000): Promise<number> {
    const startedMs = this.world.nowMs
    while (!isSo()) {
      if (this.world.nowMs - startedMs > limitMs) throw new Error('it is still not so')
      await this.pass(100)
    }
    return this.world.nowMs - startedMs
  }

  state(node: string): string | undefined {
    return this.leases.rows.get(node)?.state
  }
}

export const isValid = ({ keeper }: { readonly keeper: LeaseKeeper }): boolean =>
  keeper.session()?.valid() === true
