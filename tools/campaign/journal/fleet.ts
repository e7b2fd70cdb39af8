import { setTimeout as pause } from 'node:timers/promises'
import { openEngine } from '../../../src/persistence/open-engine.ts'
import type { Place } from '../../harness/place.ts'
import { untilFound } from '../../harness/waiting.ts'
import type { Random } from '../../simulate/random.ts'
import { Askers } from './askers.ts'
import { type Audit, auditJournal } from './audit.ts'
import { Node } from './node.ts'
import type { NodeEvent } from './node-process.ts'

export type FleetOptions = {
  readonly place: Place
  readonly random: Random
  readonly nodes: number
  readonly shardCount: number
  readonly askers: number
  /** By which the clock of the last node is wrong. */
  readonly clockOffsetMs: number
}

const ACTORS = 48
/** After this time the last timers are due, and the effects that they began are done. */
const SETTLE_MS = 18_000
const SETTLE_ROUNDS = 4
const AVAILABLE_LIMIT_MS = 180_000

/** Service processes under load, and what they did as seen from outside. */
export class Fleet {
  readonly nodes: readonly Node[]
  readonly askers: Askers
  readonly #performed = new Set<string>()
  readonly #defects: string[] = []
  readonly #options: FleetOptions

  constructor(options: FleetOptions) {
    const { place, nodes, random, shardCount, clockOffsetMs } = options
    this.#options = options
    const { engine } = place
    this.nodes = Array.from({ length: nodes }, (_, index) => {
      const isLast = index === nodes - 1
      const settings = {
        node: `n${index + 1}`,
        engine,
        shardCount,
        clockOffsetMs: isLast ? clockOffsetMs : 0,
      }
      return new Node(settings, (event) => this.#happened(event))
    })
    this.askers = new Askers(this.nodes, random, shardCount, ACTORS)
  }

  async start(): Promise<void> {
    for (const node of this.nodes) node.start()
    this.askers.start(this.#options.askers)
    await this.untilAvailable()
  }

  /** Waits until askers get answers again, and says how long that took. */
  async untilAvailable(more = 64): Promise<number> {
    const startedMs = performance.now()
    const { acknowledged, refusals } = this.askers
    const wanted = acknowledged.length + more
    const otherwise = () => {
      const failures = this.nodes.map(({ failures: all }) => all.at(-1)).join('; ')
      return new Error(`no asker was answered: ${JSON.stringify(Object.fromEntries(refusals))} ${failures}`)
    }
    await untilFound(() => acknowledged.length >= wanted, { limitMs: AVAILABLE_LIMIT_MS, otherwise })
    return performance.now() - startedMs
  }

  /** Everything is answered, processes end in good order, and the journal is read. */
  async finish() {
    const { acknowledged, problems } = this.askers
    await this.askers.finish()
    for (let round = 1; ; round++) {
      await pause(SETTLE_MS)
      await Promise.all(this.nodes.map((node) => node.stop()))
      const audit = await this.#audit()
      if (audit.forgotten === 0 || round === SETTLE_ROUNDS)
        return {
          acknowledged: acknowledged.length,
          audit,
          problems: [...problems, ...this.#defects, ...audit.problems],
        }
      for (const node of this.nodes) node.start()
    }
  }

  async #audit(): Promise<Audit> {
    const { place, shardCount } = this.#options
    const engine = await openEngine(place.engine)
    try {
      return await auditJournal(engine.store, shardCount, this.askers.acknowledged, this.#performed)
    } finally {
      await engine[Symbol.asyncDispose]()
    }
  }

  #happened(event: NodeEvent): void {
    if (event.is === 'performed') this.#performed.add(`${event.actor} ${event.effect}`)
    else this.#defects.push(`${event.node}: ${event.text}`)
  }
}
