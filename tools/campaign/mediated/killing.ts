import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../simulate/random.ts'
import type { Disturbances } from '../cluster/disturbances.ts'
import { planOf } from '../cluster/plan.ts'

type Killed = { readonly nodes: number; readonly kills: number; readonly flows: number }
type Progress = { readonly over: number; readonly shown: string }

const LOOK_MS = 100
/** The last kills fall while the last flows run. */
const SPREAD = 0.95

/** Kills of nodes one after the other, spread evenly over the flows. */
export class Killing {
  readonly #disturbances: Disturbances
  readonly #random: Random
  readonly #options: Killed
  done = 0

  constructor(disturbances: Disturbances, random: Random, options: Killed) {
    this.#disturbances = disturbances
    this.#random = random
    this.#options = options
  }

  /** A flow waits for the kills that are due before it, so that none falls into an idle service. */
  async before(flow: number): Promise<void> {
    const { kills, flows } = this.#options
    const due = Math.floor(((flow - 1) * kills) / flows) - 1
    while (this.done < due) await pause(LOOK_MS)
  }

  async run(flows: Progress): Promise<void> {
    const { nodes, kills, flows: all } = this.#options
    const none = { stops: 0, cuts: 0, 'cassandra-kills': 0, 'broker-kills': 0, rolling: false } as const
    const plan = planOf(this.#random, { ...none, nodes, kills, servers: 0, 'stop-seconds': 0 })
    for (const [index, step] of plan.entries()) {
      const due = (all * SPREAD * index) / kills
      while (flows.over < due) await pause(LOOK_MS)
      await this.#disturbances.step(step, `kill ${index + 1} of ${kills}`, () => flows.shown)
      this.done += 1
    }
  }
}
