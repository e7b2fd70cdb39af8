import { StoreFailure } from '../../src/persistence/store-port.ts'
import type { Faults } from './faults.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import type { World } from './world.ts'

const TIMEOUT_MS = 1_000

type Answer<Value> = { readonly value: Value } | { readonly error: Error }

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
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    const answer = (delayMs: number, value: () => Answer<Value>): void => {
      this.#world.at(delayMs, process, () => {
        const answered = value()
        if ('error' in answered) reject(answered.error)
        else resolve(answered.value)
      })
    }
    this.#decide(process, name, apply, answer)
    return promise
  }

  #decide<Value>(
    process: SimulatedProcess,
    name: string,
    apply: () => Value,
    answer: (delayMs: number, value: () => Answer<Value>) => void,
  ): void {
    const faults = this.#faults
    const { random } = this.#world
    const fail = (outcome: 'unknown' | 'not-applied', delayMs: number): void =>
      answer(delayMs, () => ({ error: new StoreFailure(outcome, `${name}: ${outcome}`) }))
    const requestMs = this.#latency()
    if (this.#world.healed) return this.#deliver(process, name, apply, requestMs, answer)
    if (this.#world.nowMs < Math.max(this.awayUntilMs, process.cutOffUntilMs))
      return random.chance(0.5) ? fail('unknown', TIMEOUT_MS) : fail('not-applied', requestMs)
    let luck = random.next()
    const hits = (rate: number): boolean => {
      luck -= rate
      return luck < 0
    }
    if (hits(faults.lostRequest)) return fail('unknown', TIMEOUT_MS)
    if (hits(faults.refused)) return fail('not-applied', requestMs)
    if (hits(faults.lostAnswer)) {
      this.#apply(process, name, apply, requestMs)
      return fail('unknown', TIMEOUT_MS)
    }
    if (hits(faults.appliedLate)) {
      this.#apply(process, `late ${name}`, apply, TIMEOUT_MS + random.next() * faults.lateMs)
      return fail('unknown', TIMEOUT_MS)
    }
    if (hits(faults.neverAnswered)) {
      if (random.chance(0.5)) this.#apply(process, `late ${name}`, apply, random.next() * faults.lateMs)
      return
    }
    this.#deliver(process, name, apply, requestMs, answer)
    if (hits(faults.appliedTwice))
      this.#apply(process, `again ${name}`, apply, requestMs + 1 + random.next() * faults.lateMs)
  }

  #deliver<Value>(
    process: SimulatedProcess,
    name: string,
    apply: () => Value,
    requestMs: number,
    answer: (delayMs: number, value: () => Answer<Value>) => void,
  ): void {
    this.#world.at(requestMs, null, () => {
      const value = this.#applyNow(process, name, apply)
      answer(this.#latency(), () => ({ value }))
    })
  }

  #apply(process: SimulatedProcess, name: string, apply: () => unknown, delayMs: number): void {
    this.#world.at(delayMs, null, () => this.#applyNow(process, name, apply))
  }

  #applyNow<Value>(process: SimulatedProcess, name: string, apply: () => Value): Value {
    this.#world.note(() => `store: ${name} of ${process.name}`)
    const value = apply()
    this.#world.note(() => `store answers ${brief(value)}`)
    return value
  }

  #latency(): number {
    return this.#world.random.next() * this.#faults.latencyMs
  }
}

const brief = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
