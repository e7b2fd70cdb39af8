import { StoreFailure } from '../../src/persistence/store-port.ts'
import type { Faults } from './faults.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import type { World } from './world.ts'

const TIMEOUT_MS = 1_000

/** What can become of one call. */
type Fate = {
  /** The caller hears of a failure. */
  fail(outcome: StoreFailure['outcome'], afterMs: number): void
  /** The store does it, and the caller does not hear of it. */
  apply(how: string, afterMs: number): void
  deliver(afterMs: number): void
}

/** Between a process and the store: delays, losses, repetitions, and times when the store is away. */
export class Network {
  readonly #world: World
  readonly #faults: Faults
  awayUntilMs = 0

  constructor(world: World, faults: Faults) {
    this.#world = world
    this.#faults = faults
  }

  /** `apply` is what the store does, all at once, at some moment between call and answer, or later, or never. */
  call<Value>(process: SimulatedProcess, name: string, apply: () => Value): Promise<Value> {
    if (!process.acts()) return new Promise(() => {})
    const world = this.#world
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    const applied = (how: string): Value => {
      world.note(() => `store: ${how}${name} of ${process.name}`)
      const value = apply()
      world.note(() => `store answers ${brief(value)}`)
      return value
    }
    this.#decide(process, {
      fail: (outcome, afterMs) =>
        world.at(afterMs, process, () => reject(new StoreFailure(outcome, `${name}: ${outcome}`))),
      apply: (how, afterMs) => world.at(afterMs, null, () => applied(how)),
      deliver: (afterMs) =>
        world.at(afterMs, null, () => {
          const value = applied('')
          world.at(this.#latency(), process, () => resolve(value))
        }),
    })
    return promise
  }

  #decide({ cutOffUntilMs }: SimulatedProcess, fate: Fate): void {
    const faults = this.#faults
    const { random, healed, nowMs } = this.#world
    const requestMs = this.#latency()
    if (healed) return fate.deliver(requestMs)
    if (nowMs < Math.max(this.awayUntilMs, cutOffUntilMs))
      return random.chance(0.5) ? fate.fail('unknown', TIMEOUT_MS) : fate.fail('not-applied', requestMs)
    let luck = random.next()
    const hits = (rate: number): boolean => {
      luck -= rate
      return luck < 0
    }
    if (hits(faults.lostRequest)) return fate.fail('unknown', TIMEOUT_MS)
    if (hits(faults.refused)) return fate.fail('not-applied', requestMs)
    if (hits(faults.lostAnswer)) {
      fate.apply('', requestMs)
      return fate.fail('unknown', TIMEOUT_MS)
    }
    if (hits(faults.appliedLate)) {
      fate.apply('late ', TIMEOUT_MS + random.next() * faults.lateMs)
      return fate.fail('unknown', TIMEOUT_MS)
    }
    if (hits(faults.neverAnswered)) {
      if (random.chance(0.5)) fate.apply('late ', random.next() * faults.lateMs)
      return
    }
    fate.deliver(requestMs)
    if (hits(faults.appliedTwice)) fate.apply('again ', requestMs + 1 + random.next() * faults.lateMs)
  }

  #latency(): number {
    return this.#world.random.next() * this.#faults.latencyMs
  }
}

const brief = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
