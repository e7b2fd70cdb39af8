import TinyQueue from 'tinyqueue'
import type { Random } from './random.ts'
import type { SimulatedProcess } from './simulated-process.ts'

/** A violated invariant: the seed that led to it leads to it again. */
export class Violation extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Violation'
  }
}

const SETTLED = Promise.resolve()

export type Happening = {
  readonly atMs: number
  readonly order: number
  /** Null for what happens outside of every process: the store, the network. */
  readonly process: SimulatedProcess | null
  readonly happen: () => void
  cancelled: boolean
}

/** Virtual time: one thing happens after the other, and between two of them all code runs until it waits again. */
export class World {
  readonly random: Random
  nowMs = 0
  /** Crashes, pauses and faults end with it, so that what is owed can be seen to be done. */
  healed = false
  steps = 0
  readonly trace: string[] | null
  /** Whose code runs at the moment; null while the store, the network or an asker acts. */
  current: SimulatedProcess | null = null
  readonly #queue = new TinyQueue<Happening>(
    [],
    (left, right) => left.atMs - right.atMs || left.order - right.order,
  )
  #order = 0
  #ids = 0
  #failure: Error | null = null

  constructor(random: Random, traced: boolean) {
    this.random = random
    this.trace = traced ? [] : null
  }

  newId(): string {
    return `u${(++this.#ids).toString(36)}`
  }

  note(line: () => string): void {
    this.trace?.push(`${this.nowMs.toFixed(1).padStart(9)} ${line()}`)
  }

  fail(error: Error): void {
    this.#failure ??= error
  }

  at(delayMs: number, process: SimulatedProcess | null, happen: () => void): Happening {
    const happening = {
      atMs: this.nowMs + Math.max(delayMs, 0),
      order: ++this.#order,
      process,
      happen,
      cancelled: false,
    }
    this.#queue.push(happening)
    return happening
  }

  /** Runs until nothing is left to happen, time is up or `done` says so. */
  run(untilMs: number, done: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = (): void => {
        try {
          if (this.#failure !== null) return reject(this.#failure)
          const next = done() ? null : this.#next(untilMs)
          if (next === null) return resolve()
          this.steps++
          this.nowMs = next.atMs
          this.current = next.process
          next.happen()
        } catch (error) {
          return reject(error instanceof Error ? error : new Error(String(error)))
        }
        // A tick that was asked for in a microtask begins when no microtask is left.
        void SETTLED.then(scheduleStep)
      }
      const scheduleStep = (): void => process.nextTick(step)
      step()
    })
  }

  #next(untilMs: number): Happening | null {
    for (;;) {
      const next = this.#queue.peek()
      if (next === undefined || next.atMs > untilMs) return null
      this.#queue.pop()
      if (next.cancelled) continue
      if (next.process === null) return next
      if (!next.process.alive) continue
      if (next.process.pausedUntilMs <= next.atMs) return next
      this.#queue.push({ ...next, atMs: next.process.pausedUntilMs, order: ++this.#order })
    }
  }
}
