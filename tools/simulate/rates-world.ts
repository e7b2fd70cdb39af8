import { actorId } from '../../src/domain/references.ts'
import type { ClusterRates } from '../../src/cluster/rates/cluster-rates.ts'
import { rateDefaults } from '../../src/cluster/rates/settings.ts'
import { LocalRateWindows } from '../../src/timing/rate-windows.ts'
import { FactsNetwork } from './facts-link.ts'
import { withVirtualImmediates } from './immediates.ts'
import { Random } from './random.ts'
import { ratesOf, type RatesVariant } from './rates-variants.ts'
import type { ScheduleResult } from './schedule.ts'
import { SimulatedProcess } from './simulated-process.ts'
import { Violation, World } from './world.ts'

const KEY = actorId('key', 0, '00000000')
const RATE = { max: 30, windowMs: 10_000 }
const ACTIVE_MS = 60_000
const NODES = ['n1', 'n2', 'n3'] as const

type Node = { readonly name: string; readonly process: SimulatedProcess; readonly rates: ClusterRates }
/** A request that was admitted at some moment between these. */
type Admitted = { readonly cameMs: number; readonly answeredMs: number }

/** One adversarial run of a key's requests through three nodes, decided by its seed alone. */
export const runRatesSchedule = async (
  seed: number,
  variant: RatesVariant,
  traced: boolean,
): Promise<ScheduleResult> => {
  Error.stackTraceLimit = traced ? 10 : 0
  const world = new World(new Random(seed), traced)
  let [violation, admitted]: [Error | null, number] = [null, 0]
  try {
    admitted = await withVirtualImmediates(world, () => new RatesSchedule(world, variant).play())
  } catch (error) {
    violation = error as Error
  }
  // Once around the event loop, so that what is unreachable now can go.
  await new Promise((resolve) => setImmediate(resolve))
  return { seed, violation, steps: world.steps, slots: admitted, trace: world.trace }
}

class RatesSchedule {
  readonly #world: World
  readonly #variant: RatesVariant
  readonly #network: FactsNetwork
  readonly #nodes = new Map<string, Node>()
  readonly #latencyMs: number
  /** Nothing is lost, frozen or cut: then the rate is literal in both directions. */
  readonly #isCalm: boolean
  readonly #admitted: Admitted[] = []
  readonly #refusedMs: number[] = []
  readonly #takeoversMs: number[] = []
  #owner: { readonly node: string; readonly epoch: number } | null = null
  /** Of the last record of the log that took one: an opening or a release. */
  #epoch = 0
  #version = 1

  constructor(world: World, variant: RatesVariant) {
    const { random } = world
    this.#world = world
    this.#variant = variant
    this.#isCalm = random.chance(0.5)
    this.#latencyMs = random.pick([1, 10, 50])
    const maybe = (most: number): number => (!this.#isCalm && random.chance(0.6) ? random.next() * most : 0)
    const faults = { lost: maybe(0.05), doubled: maybe(0.1), late: maybe(0.1), lateMs: 2_000 }
    this.#network = new FactsNetwork(world, { ...faults, latencyMs: this.#latencyMs })
  }

  async play(): Promise<number> {
    const world = this.#world
    const { random } = world
    for (const name of NODES) this.#start(name)
    this.#open('n1')
    // From a tenth of what the rate allows to three times as much, with bursts.
    const perSecond = ((RATE.max / RATE.windowMs) * 1_000 * (0.1 + random.next() * 3)) / NODES.length
    for (const name of NODES) {
      const weight = random.pick([0.1, 1, 3])
      this.#often(1_000 / (perSecond * weight), () => this.#burst(name))
    }
    if (random.chance(0.5)) this.#often(4_000 + random.next() * 10_000, () => this.#move())
    if (!this.#isCalm) {
      this.#often(5_000 + random.next() * 20_000, () => this.#freeze())
      this.#often(5_000 + random.next() * 20_000, () => this.#cut())
      this.#often(5_000 + random.next() * 20_000, () => this.#stall())
      this.#often(3_000, () => this.#replaceTheFrozen())
    }
    await world.run(ACTIVE_MS, () => false)
    this.#neverMore()
    if (this.#isCalm) this.#neverFewer()
    return this.#admitted.length
  }

  #start(name: string): void {
    const world = this.#world
    const clocks = { wallOffsetMs: 0, monotonicRate: 1 }
    const process = new SimulatedProcess(world, name, clocks, 0, () => undefined)
    let believed = 'n1'
    const ports = {
      node: name,
      link: this.#network.linkOf(name, process),
      map: {
        ownerOf: () => believed,
        refreshed: async () => {
          await process.runtime.sleep(world.random.next() * 20)
          believed = this.#owner?.node ?? believed
          return { version: this.#version, frozen: false, places: [] }
        },
        current: () => ({ version: this.#version, frozen: false, places: [] }),
      },
      runtime: process.runtime,
      serves: () => this.#owner?.node === name,
    }
    const windows = new LocalRateWindows(() => process.runtime.monotonicMs(), 10_000)
    const rates = ratesOf(ports, this.#variant, { ...rateDefaults, shareOfRest: 2 }, windows)
    this.#nodes.set(name, { name, process, rates })
  }

  /** By the `open` record of the next epoch. */
  #open(name: string): void {
    const epoch = ++this.#epoch
    this.#version++
    this.#owner = { node: name, epoch }
    this.#world.note(() => `${name} counts by epoch ${epoch}`)
    this.#node(name).rates.opened(0, epoch)
  }

  #move(): void {
    const { random } = this.#world
    const owner = this.#owner
    const to = random.pick(NODES)
    if (owner === null || owner.node === to) return
    const from = this.#node(owner.node)
    const next = this.#node(to)
    this.#world.at(0, from.process, () => {
      if (this.#owner !== owner) return
      this.#owner = null
      // In good order: the release takes an epoch of its own.
      from.rates.closed(0, owner.epoch, ++this.#epoch)
      // The windows are there before the first request is counted, or somewhat later.
      void from.rates
        .handOver(0, to)
        // What did not arrive is forgotten, as by a takeover.
        .catch(() => {
          if (!this.#isCalm) this.#takeoversMs.push(this.#world.nowMs)
        })
        .then(() => this.#world.at(0, next.process, () => this.#open(to)))
    })
  }

  #replaceTheFrozen(): void {
    const { random, nowMs } = this.#world
    const owner = this.#owner
    if (owner === null || this.#node(owner.node).process.pausedUntilMs <= nowMs) return
    const living = [...this.#nodes.values()].filter(({ process }) => process.pausedUntilMs <= nowMs)
    if (living.length === 0) return
    const { name, process } = random.pick(living)
    this.#takeoversMs.push(nowMs)
    this.#owner = null
    this.#world.at(0, process, () => this.#open(name))
  }

  #burst(name: string): void {
    const { random } = this.#world
    const count = random.chance(0.1) ? 1 + random.below(20) : 1
    for (let each = 0; each < count; each++) this.#request(this.#node(name))
  }

  #request({ name, process, rates }: Node): void {
    const world = this.#world
    world.at(0, process, () => {
      const cameMs = world.nowMs
      void Promise.resolve(rates.take(KEY, RATE)).then(
        ({ is }) => {
          world.note(() => `${name} has ${is} one`)
          if (is === 'admitted') this.#admitted.push({ cameMs, answeredMs: world.nowMs })
          else this.#refusedMs.push(world.nowMs)
        },
        () => {
          world.note(() => `${name} cannot know about one`)
          if (this.#isCalm) world.fail(new Violation('nobody counted, although nothing was in the way'))
        },
      )
    })
  }

  #freeze(): void {
    const { random } = this.#world
    const { process } = this.#node(random.pick(NODES))
    process.pause(random.pick([500, 2_000, 6_000]))
  }

  #cut(): void {
    const { random } = this.#world
    this.#network.cut(random.pick(NODES), random.pick(NODES), random.pick([500, 3_000, 8_000]))
  }

  #stall(): void {
    const { random } = this.#world
    this.#network.stall(random.pick(NODES), random.pick(NODES), random.pick([300, 1_000, 2_500]))
  }

  /** Of those that came and were answered within less than a window, only what a takeover forgets is beyond the rate. */
  #neverMore(): void {
    const inOrder = this.#admitted.toSorted((one, other) => one.cameMs - other.cameMs)
    for (const [index, { cameMs: firstMs }] of inOrder.entries()) {
      const endMs = firstMs + RATE.windowMs
      let within = 0
      for (let next = index; next < inOrder.length; next++) {
        const { cameMs, answeredMs } = inOrder[next] as Admitted
        if (cameMs >= endMs) break
        if (answeredMs < endMs) within++
      }
      const takeovers = this.#takeoversMs.filter(
        (atMs) => atMs > firstMs - RATE.windowMs && atMs < endMs,
      ).length
      const most = RATE.max * (1 + takeovers)
      if (within > most)
        throw new Violation(`${within} requests were admitted from ${firstMs.toFixed(0)} on, ${most} may be`)
    }
  }

  #neverFewer(): void {
    const slackMs = 6 * this.#latencyMs + 1
    let [first, last] = [0, 0]
    const admittedMs = this.#admitted.map(({ answeredMs }) => answeredMs)
    for (const refusedMs of this.#refusedMs) {
      while ((admittedMs[first] ?? refusedMs) < refusedMs - RATE.windowMs - slackMs) first++
      while ((admittedMs[last] ?? Number.POSITIVE_INFINITY) <= refusedMs + slackMs) last++
      const counted = last - first
      if (counted < RATE.max)
        throw new Violation(`refused at ${refusedMs.toFixed(0)}, although only ${counted} were admitted`)
    }
  }

  #node(name: string): Node {
    const node = this.#nodes.get(name)
    if (node === undefined) throw new Error(`no node ${name}`)
    return node
  }

  #often(everyMs: number, happen: () => void): void {
    this.#world.at(this.#world.random.next() * 2 * everyMs, null, () => {
      happen()
      this.#often(everyMs, happen)
    })
  }
}
