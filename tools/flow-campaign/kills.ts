import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../simulate/random.ts'
import type { ServiceProcess } from './service-process.ts'

/** What the phones and the receiver notice of one flow: seven changes in the wallet, ten webhooks. */
const NOTICED_OF_A_FLOW = 17
/** The last kills fall while the last flows run. */
const SPREAD = 0.95
const LATER_MS = 400
const WHILE_STARTING = 0.2
const START_MS = 2_500
const POLL_MS = 5
/** Nothing more will happen by which the next kill could be timed. */
const QUIET_MS = 60_000

/** Kills spread over everything that the flows make happen, each a random moment after something happened. */
export class Kills {
  readonly #service: ServiceProcess
  readonly #random: Random
  readonly #moments: readonly number[]
  readonly #say: (line: string) => void
  #noticed = 0
  #noticedMs = performance.now()
  done = 0

  constructor(
    service: ServiceProcess,
    random: Random,
    { flows, kills }: { readonly flows: number; readonly kills: number },
    say: (line: string) => void,
  ) {
    this.#service = service
    this.#random = random
    this.#say = say
    const all = flows * NOTICED_OF_A_FLOW * SPREAD
    this.#moments = Array.from({ length: kills }, () => random.next() * all).toSorted(
      (left, right) => left - right,
    )
  }

  happened(): void {
    this.#noticed += 1
    this.#noticedMs = performance.now()
  }

  async run(): Promise<void> {
    this.#noticedMs = performance.now()
    for (const moment of this.#moments) {
      while (this.#noticed < moment && performance.now() - this.#noticedMs < QUIET_MS) await pause(POLL_MS)
      if (this.#random.chance(WHILE_STARTING)) {
        await pause(this.#random.next() * START_MS)
      } else {
        await this.#service.untilListening()
        await pause(this.#random.next() * LATER_MS)
      }
      const state = this.#service.isListening ? 'running' : 'starting'
      this.#service.kill()
      this.done += 1
      this.#say(`kill ${this.done} of ${this.#moments.length} (${state}), ${this.#noticed} changes noticed`)
      await pause(POLL_MS)
    }
  }
}
