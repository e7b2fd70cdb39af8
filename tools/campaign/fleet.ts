import { setTimeout as pause } from 'node:timers/promises'
import { openEngine } from '../../src/persistence/open-engine.ts'
import type { Random } from '../simulate/random.ts'
import { type Acknowledged, Askers } from './askers.ts'
import { type Audit, auditJournal } from './audit.ts'
import type { Place } from './places.ts'
import { type Listener, ServiceNode } from './service-process.ts'

export type FleetOptions = {
  readonly place: Place
  readonly random: Random
  readonly nodes: number
  readonly shardCount: number
  readonly askers: number
  /** Of the last node. */
  readonly clockOffsetMs: number
}

const ACTORS = 48
/** The last timers are due, and what they began is done. */
const SETTLE_MS = 18_000
const SETTLE_ROUNDS = 4
const AVAILABLE_LIMIT_MS = 180_000

/** Service processes under load, and what they did as seen from outside. */
export class Fleet {
  readonly nodes: readonly ServiceNode[]
  readonly askers: Askers
  readonly performed = new Set<string>()
  readonly defects: string[] = []
  readonly takeoversMs: number[] = []
  readonly #options: FleetOptions

  constructor(options: FleetOptions) {
    const { nodes, random, shardCount, clockOffsetMs } = options
    this.#options = options
    this.nodes = Array.from({ length: nodes }, (_, index) =>
      this.#node(`n${index + 1}`, index === nodes - 1 ? clockOffsetMs : 0),
    )
    this.askers = new Askers(this.nodes, random, shardCount, ACTORS)
  }

  async start(): Promise<void> {
    for (const node of this.nodes) node.start()
    this.askers.start(this.#options.askers)
    await this.untilAvailable()
  }

  /** Until askers get answers again; says how long that took. */
  async untilAvailable(more = 64): Promise<number> {
    const startedMs = performance.now()
    const answered = this.askers.acknowledged.length
    while (this.askers.acknowledged.length < answered + more) {
      await pause(20)
      const waitedMs = performance.now() - startedMs
      if (waitedMs < AVAILABLE_LIMIT_MS) continue
      const reasons = JSON.stringify(Object.fromEntries(this.askers.refusals))
      const failures = this.nodes.map(({ lastFailure }) => lastFailure).join('; ')
      throw new Error(`nobody was answered for ${waitedMs.toFixed(0)} ms: ${reasons} ${failures}`)
    }
    return performance.now() - startedMs
  }

  async untilStarted(node: ServiceNode): Promise<void> {
    while (!node.isStarted) await pause(10)
  }

  /** Everything is answered, processes end in good order, and the journal is read. */
  async finish(): Promise<Audit> {
    await this.askers.finish()
    for (let round = 1; ; round++) {
      await pause(SETTLE_MS)
      await Promise.all(this.nodes.map((node) => node.stop()))
      const audit = await this.#audit(this.askers.acknowledged)
      if (audit.forgotten === 0 || round === SETTLE_ROUNDS) return audit
      for (const node of this.nodes) node.start()
    }
  }

  async #audit(acknowledged: readonly Acknowledged[]): Promise<Audit> {
    const engine = await openEngine(this.#options.place.engine)
    try {
      return await auditJournal(engine.store, this.#options.shardCount, acknowledged, this.performed)
    } finally {
      await engine[Symbol.asyncDispose]()
    }
  }

  #node(node: string, clockOffsetMs: number): ServiceNode {
    const listener: Listener = {
      performed: (actor, effect) => this.performed.add(`${actor} ${effect}`),
      opened: (_node, _shard, tookMs) => this.takeoversMs.push(tookMs),
      defect: (name, text) => this.defects.push(`${name}: ${text}`),
    }
    const { place, shardCount } = this.#options
    return new ServiceNode({ node, engine: place.engine, shardCount, clockOffsetMs }, listener)
  }
}
