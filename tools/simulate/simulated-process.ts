import type { Runtime } from '../../src/ports/runtime.ts'
import type { World } from './world.ts'

export type Clocks = { readonly wallOffsetMs: number; readonly monotonicRate: number }

/**
 * One start of one node. Dead, nothing reaches it and nothing it does reaches the world; paused, everything waits, and
 * suspended with its machine, its monotonic clock stands still as well.
 */
export class SimulatedProcess {
  readonly name: string
  readonly runtime: Runtime
  alive = true
  pausedUntilMs = 0
  /** When the last pause began. */
  pausedFromMs = 0
  cutOffUntilMs = 0
  /** For so long the monotonic clock has stood still. */
  #stoodStillMs = 0
  #suspendedUntilMs = 0
  readonly #world: World
  readonly #crashChance: number
  readonly #onCrash: () => void

  constructor(world: World, name: string, clocks: Clocks, crashChance: number, onCrash: () => void) {
    this.#world = world
    this.name = name
    this.#crashChance = crashChance
    this.#onCrash = onCrash
    this.runtime = {
      now: () => Math.floor(START_MS + world.nowMs + clocks.wallOffsetMs),
      monotonicMs: () => (world.nowMs - this.#stoodStillMs) * clocks.monotonicRate,
      sleep: (ms, signal) =>
        this.#sleep((ms + world.random.next() * WAKES_LATE_MS) / clocks.monotonicRate, signal),
      newId: () => world.newId(),
      random: () => world.random.next(),
    }
  }

  /** Everything a process does to the world begins here; false when it died before it could. */
  acts(): boolean {
    if (!this.alive) return false
    if (!this.#world.healed && this.#world.random.chance(this.#crashChance)) this.crash()
    return this.alive
  }

  crash(): void {
    if (!this.alive) return
    this.alive = false
    this.#world.note(() => `${this.name} crashes`)
    this.#onCrash()
  }

  pause(ms: number): void {
    this.#world.note(() => `${this.name} is frozen for ${ms.toFixed(0)} ms`)
    if (this.pausedUntilMs <= this.#world.nowMs) this.pausedFromMs = this.#world.nowMs
    this.pausedUntilMs = Math.max(this.pausedUntilMs, this.#world.nowMs + ms)
  }

  /** The wall clock of a machine is right again when it wakes; nothing reads its other clock while it is suspended. */
  suspend(ms: number): void {
    this.pause(ms)
    this.#world.note(() => `${this.name} is suspended, and its monotonic clock with it`)
    // A machine that is suspended already only wakes later: what its clock stands still for twice counts once.
    const fromMs = Math.max(this.#world.nowMs, this.#suspendedUntilMs)
    const untilMs = Math.max(fromMs, this.#world.nowMs + ms)
    this.#stoodStillMs += untilMs - fromMs
    this.#suspendedUntilMs = untilMs
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal === undefined) return void this.#wakeAfter(ms, resolve)
      if (signal.aborted) return reject(signal.reason as Error)
      const onAbort = (): void => {
        waking.cancel()
        reject(signal.reason as Error)
      }
      const waking = this.#wakeAfter(ms, () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      })
      signal.addEventListener('abort', onAbort)
    })
  }

  /** Sleeps go by the monotonic clock: what is left of one when the machine is suspended is left when it wakes. */
  #wakeAfter(ms: number, wake: () => void): { readonly cancel: () => void } {
    const wentMs = (): number => this.#world.nowMs - this.#stoodStillMs
    const dueMs = wentMs() + ms
    const look = (): void => {
      const leftMs = dueMs - wentMs()
      if (leftMs <= ROUNDED_MS) wake()
      else waking = this.#world.at(leftMs, this, look)
    }
    let waking = this.#world.at(ms, this, look)
    return {
      cancel: () => {
        waking.cancelled = true
      },
    }
  }
}

/** The machine is busy; it also keeps those who look around twenty times a second from filling the schedule. */
const WAKES_LATE_MS = 400

/** Sums of times that are no whole numbers differ by less. */
const ROUNDED_MS = 1e-3

/** Far enough from zero that clocks which run behind have a date as well. */
export const START_MS = 1_700_000_000_000
