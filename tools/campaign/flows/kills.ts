import { setTimeout as pause } from 'node:timers/promises'
import type { Program } from '../../harness/program.ts'
import type { Restarting } from '../../harness/restarting.ts'
import type { Random } from '../../simulate/random.ts'

/** What the phones and the receiver notice of one flow: seven changes in the wallet, ten webhooks. */
const NOTICED_OF_A_FLOW = 17
/** The last kills fall while the last flows run. */
const SPREAD = 0.95
const LATER_MS = 400
const WHILE_STARTING = 0.2
const START_MS = 2_500
const POLL_MS = 5
/** After such a silence no further change will come by which the next kill could be timed. */
const QUIET_MS = 60_000

type KillOptions = {
  readonly flows: number
  readonly kills: number
  /** Where it is something else that happens so many times. */
  readonly noticedOfEach?: number
}

/** Kills spread over everything that the flows make happen, each a random moment after a change was noticed. */
export class Kills {
  readonly #random: Random
  readonly #moments: readonly number[]
  #noticed = 0
  #noticedMs = performance.now()
  done = 0

  constructor(random: Random, { flows, kills, noticedOfEach = NOTICED_OF_A_FLOW }: KillOptions) {
    this.#random = random
    const all = flows * noticedOfEach * SPREAD
    this.#moments = Array.from({ length: kills }, () => random.next() * all).toSorted(
      (left, right) => left - right,
    )
  }

  noticed(): void {
    this.#noticed += 1
    this.#noticedMs = performance.now()
  }

  async run(service: Restarting<Program>, say: (line: string) => void): Promise<void> {
    this.#noticedMs = performance.now()
    for (const moment of this.#moments) {
      while (this.#noticed < moment && performance.now() - this.#noticedMs < QUIET_MS) await pause(POLL_MS)
      if (this.#random.chance(WHILE_STARTING)) {
        await pause(this.#random.next() * START_MS)
      } else {
        await service.untilReady()
        await pause(this.#random.next() * LATER_MS)
      }
      const state = service.ready === null ? 'starting' : 'running'
      service.kill()
      this.done += 1
      say(`kill ${this.done} of ${this.#moments.length} (${state}), ${this.#noticed} changes noticed`)
      await pause(POLL_MS)
    }
  }
}
