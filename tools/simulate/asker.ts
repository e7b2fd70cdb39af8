import { shardOf } from '../../src/domain/shards.ts'
import type { ClusterNode } from './cluster-node.ts'
import type { CounterCommand, CounterReply } from './counter.ts'
import { START_MS } from './simulated-process.ts'
import type { Truth } from './truth.ts'
import { Violation, type World } from './world.ts'

const ASK_TIMEOUT_MS = 4_000
const PATIENCE_MS = 6_000
const LOOK_PAUSE_MS = 3_000

/** Somebody outside who repeats every command under the same id until it is answered, on whichever node. */
export class Asker {
  readonly #name: string
  readonly #world: World
  readonly #truth: Truth
  readonly #nodes: () => readonly ClusterNode[]
  readonly #actors: readonly string[]
  readonly #pauseMs: number
  #remaining: number
  #given = 0

  constructor(
    name: string,
    world: World,
    truth: Truth,
    nodes: () => readonly ClusterNode[],
    actors: readonly string[],
    { commands, activeMs }: { readonly commands: number; readonly activeMs: number },
  ) {
    this.#pauseMs = (2 * activeMs) / commands

    this.#name = name
    this.#world = world
    this.#truth = truth
    this.#nodes = nodes
    this.#actors = actors
    this.#remaining = commands
  }

  get finished(): boolean {
    return this.#remaining === 0
  }

  start(): void {
    this.#later(this.#world.random.next() * 4_000, () => this.#next())
    this.#later(this.#world.random.next() * 4_000, () => this.#look())
  }

  /** Somebody always looks: an owner that answers too long is caught by its answers. */
  #look(): void {
    const { random } = this.#world
    if (this.#world.healed) return
    const actor = random.pick(this.#actors)
    this.#send(actor, { is: 'read' }, `${this.#name}-look`, this.#truth.toldSeq(actor), () => {})
    this.#later(random.next() * LOOK_PAUSE_MS, () => this.#look())
  }

  #next(): void {
    if (this.#remaining === 0) return
    const { random } = this.#world
    const actor = random.pick(this.#actors)
    const commandId = `${this.#name}-${++this.#given}`
    this.#attempt(actor, this.#command(commandId), commandId)
  }

  #command(commandId: string): CounterCommand {
    const { random } = this.#world
    if (random.chance(0.1)) return { is: 'read' }
    if (random.chance(0.07)) return { is: 'cancel-timers' }
    const dueMs = Math.floor(START_MS + this.#world.nowMs + random.between(-3_000, 20_000))
    return {
      is: 'add',
      amount: 1 + random.below(9),
      owe: random.chance(0.35) ? `owe-${commandId}` : null,
      timer: random.chance(0.35) ? { id: `timer-${commandId}`, dueMs } : null,
    }
  }

  #attempt(actor: string, command: CounterCommand, commandId: string): void {
    const { random } = this.#world
    let over = false
    const finish = (retryMs: number | null): void => {
      if (over) return
      over = true
      if (retryMs !== null) return this.#later(retryMs, () => this.#attempt(actor, command, commandId))
      this.#remaining--
      this.#later(random.next() ** 2 * this.#pauseMs, () => this.#next())
    }
    const atLeast = this.#truth.toldSeq(actor)
    this.#send(actor, command, commandId, atLeast, finish)
    if (random.chance(0.05)) this.#send(actor, command, commandId, atLeast, () => {})
    this.#later(PATIENCE_MS, () => finish(0))
  }

  #send(
    actor: string,
    command: CounterCommand,
    commandId: string,
    atLeast: number,
    finish: (retryMs: number | null) => void,
  ): void {
    const { random } = this.#world
    const nodes = this.#nodes()
    if (nodes.length === 0) return this.#later(500, () => finish(0))
    const { host, process, owner } = random.pick(nodes)
    this.#world.at(random.next() * 20, process, () => {
      if (!process.acts()) return
      host.ask<CounterReply>(actor, command, { commandId, timeoutMs: ASK_TIMEOUT_MS, tenant: null }).then(
        (reply) => {
          if (!process.acts()) return
          this.#check(actor, command, commandId, reply, atLeast)
          this.#checkOwner(actor, owner(), commandId)
          this.#later(random.next() * 20, () => finish(null))
        },
        (error: unknown) => {
          this.#world.note(() => `${commandId} ${command.is} ${actor} at ${process.name}: ${String(error)}`)
          if (!(error instanceof Error && 'retryable' in error && error.retryable === true))
            this.#world.fail(new Violation(`${commandId} ended in ${String(error)}`))
          this.#later(random.next() * 20, () => finish(random.between(50, 1_500)))
        },
      )
    })
  }

  #check(
    actor: string,
    command: CounterCommand,
    commandId: string,
    reply: CounterReply,
    atLeast: number,
  ): void {
    this.#world.note(() => `${commandId} ${command.is} ${actor} is answered: ${JSON.stringify(reply)}`)
    try {
      if (command.is === 'add' && this.#truth.timesCommitted(commandId) !== 1)
        throw new Violation(`${commandId} was acknowledged and is not committed`)
      this.#truth.told(actor, reply.seq, atLeast)
    } catch (error) {
      this.#world.fail(error as Error)
    }
  }

  /** At the moment in which an owner answers, nobody else's open record may be in the log. */
  #checkOwner(actor: string, owner: string | null, commandId: string): void {
    const inLog = this.#truth.ownerOf(shardOf(actor) ?? 0)
    if (owner !== inLog)
      this.#world.fail(
        new Violation(`${commandId} was answered by ${owner ?? 'nobody'}, the shard is ${inLog}'s`),
      )
  }

  /** Askers are no process: nothing crashes or freezes them. */
  #later(delayMs: number, happen: () => void): void {
    this.#world.at(delayMs, null, happen)
  }
}
