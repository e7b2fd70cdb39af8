import { addressed, type Actors } from '../../src/ports/actors.ts'
import { actorId, shardOf } from '../../src/domain/references.ts'
import type { ClusterNode } from './cluster-node.ts'
import { counters, randomAdd, type CounterCommand, type CounterReply } from './counter.ts'
import type { Random } from './random.ts'
import { START_MS } from './simulated-process.ts'
import { TOGETHER, type Truth } from './truth.ts'
import { Violation, type World } from './world.ts'

const ASK_TIMEOUT_MS = 4_000
const PATIENCE_MS = 6_000
const LOOK_PAUSE_MS = 3_000

type Target = { readonly actor: string; readonly command: CounterCommand }

type Surroundings = {
  readonly world: World
  readonly truth: Truth
  readonly actors: readonly string[]
  nodes(): readonly ClusterNode[]
  /** The longest between two looks. */
  readonly lookPauseMs?: number
  /** Says of a new actor that it begins with each attempt, and not with the first alone. */
  readonly repeatsThatItBegins?: boolean
}

/** A caller from outside that repeats every command under the same id, on any node, until it is answered. */
export class Asker {
  readonly #name: string
  readonly #around: Surroundings
  readonly #random: Random
  readonly #pauseMs: number
  #remaining: number
  #given = 0
  /** New actors of which no host has heard that they begin. */
  readonly #beginning = new Set<string>()

  constructor(name: string, around: Surroundings, commands: number, activeMs: number) {
    this.#name = name
    this.#around = around
    this.#random = around.world.random
    this.#pauseMs = (2 * activeMs) / commands
    this.#remaining = commands
  }

  get finished(): boolean {
    return this.#remaining === 0
  }

  start(): void {
    this.#later(this.#random.next() * 4_000, () => this.#next())
    this.#later(this.#random.next() * 4_000, () => this.#look())
  }

  /** Actors are read all the time: an owner that answers for too long is caught by its answers. */
  #look(): void {
    const { world, actors } = this.#around
    if (world.healed) return
    const actor = this.#random.pick(actors)
    this.#send([{ actor, command: { is: 'read' } }], `${this.#name}-look`, () => {})
    this.#later(this.#random.next() * (this.#around.lookPauseMs ?? LOOK_PAUSE_MS), () => this.#look())
  }

  #next(): void {
    if (this.#remaining === 0) return
    const number = `${this.#name}-${++this.#given}`
    const [actor, neighbour] = this.#neighbours(number)
    if (neighbour === null) return this.#attempt([{ actor, command: this.#command(actor, number) }], number)
    const commandId = `${TOGETHER}${number}`
    const both = [actor, neighbour].map((each) => ({
      actor: each,
      command: this.#add(each, `${commandId}-${each}`),
    }))
    this.#attempt(both, commandId)
  }

  /** An actor, and now and then a second one of the same shard, which may begin with the command. */
  #neighbours(number: string): readonly [string, string | null] {
    const { actors } = this.#around
    const actor = this.#random.pick(actors)
    if (this.#random.chance(0.1)) return [actor, this.#newBeside(actor, number)]
    const others = actors.filter((other) => other !== actor && shardOf(other) === shardOf(actor))
    return [actor, others.length > 0 && this.#random.chance(0.2) ? this.#random.pick(others) : null]
  }

  #newBeside(actor: string, number: string): string {
    const unique = number.replace('-', '').padStart(7, '0')
    const made = actorId('cnt', shardOf(actor) ?? 0, `${unique}n`)
    this.#beginning.add(made)
    return made
  }

  #command(actor: string, commandId: string): CounterCommand {
    if (this.#random.chance(0.1)) return { is: 'read' }
    return this.#random.chance(0.07) ? { is: 'cancel-timers' } : this.#add(actor, commandId)
  }

  /** Of the first three counters the second is one that is erased whenever it is over. */
  #add(actor: string, commandId: string): CounterCommand {
    const dueMs = Math.floor(START_MS + this.#around.world.nowMs + this.#random.between(-3_000, 20_000))
    const add = randomAdd(this.#random, commandId, { owes: 0.35, sets: 0.35, dueMs: () => dueMs })
    return add.is === 'add' && actor.endsWith('1') ? { ...add, keep: commandId } : add
  }

  #attempt(targets: readonly Target[], commandId: string): void {
    let over = false
    const finish = (retryMs: number | null): void => {
      if (over) return
      over = true
      if (retryMs !== null) return this.#later(retryMs, () => this.#attempt(targets, commandId))
      this.#remaining--
      this.#later(this.#random.next() ** 2 * this.#pauseMs, () => this.#next())
    }
    this.#send(targets, commandId, finish)
    if (this.#random.chance(0.05)) this.#send(targets, commandId, () => {})
    this.#later(PATIENCE_MS, () => finish(0))
  }

  #send(targets: readonly Target[], commandId: string, finish: (retryMs: number | null) => void): void {
    const random = this.#random
    const { world, truth } = this.#around
    const nodes = this.#around.nodes()
    if (nodes.length === 0) return this.#later(500, () => finish(0))
    const { host, process, owner } = random.pick(nodes)
    const atLeast = targets.map(({ actor }) => truth.toldSeq(actor))
    world.at(random.next() * 20, process, () => {
      if (!process.acts()) return
      this.#ask(host, targets, commandId).then(
        (replies) => {
          if (!process.acts()) return
          for (const [index, reply] of replies.entries()) {
            const target = targets[index]
            if (target !== undefined) this.#check(target, commandId, reply, atLeast[index] ?? 0, owner())
          }
          this.#later(random.next() * 20, () => finish(null))
        },
        (error: unknown) => {
          world.note(() => `${commandId} at ${process.name}: ${String(error)}`)
          if (!(error instanceof Error && 'retryable' in error && error.retryable === true))
            world.fail(new Violation(`${commandId} ended in ${String(error)}`))
          this.#later(random.next() * 20, () => finish(random.between(50, 1_500)))
        },
      )
    })
  }

  async #ask(host: Actors, targets: readonly Target[], commandId: string): Promise<readonly CounterReply[]> {
    const options = { commandId, timeoutMs: ASK_TIMEOUT_MS, tenant: null }
    const [one, other] = targets
    if (one !== undefined && other === undefined)
      return [(await host.ask(counters.ref(one.actor), one.command, options)) as CounterReply]
    const members = targets.map(({ actor, command }) => addressed(counters.ref(actor), command))
    const begins = members.find(({ to }) => this.#begins(to))?.to
    const order = { ...options, ...(begins !== undefined && { begins }) }
    return (await host.askAtomically(members, order)) as readonly CounterReply[]
  }

  /** To be said once: after that the actor may be in the log. */
  #begins(actor: string): boolean {
    if (this.#around.repeatsThatItBegins === true) return this.#beginning.has(actor)
    return this.#beginning.delete(actor)
  }

  #check(
    { actor, command }: Target,
    commandId: string,
    reply: CounterReply,
    atLeast: number,
    owner: string | null,
  ): void {
    const { world, truth } = this.#around
    world.note(() => `${commandId} ${command.is} ${actor} is answered: ${JSON.stringify(reply)}`)
    try {
      if (command.is === 'add' && !truth.isCommitted(actor, commandId))
        throw new Violation(`${commandId} was acknowledged and is not committed`)
      truth.told(actor, reply.seq, atLeast)
      // At the moment in which an owner answers, no other owner's open record may be in the log.
      const inLog = truth.ownerOf(shardOf(actor) ?? 0)
      if (owner !== inLog)
        throw new Violation(`${commandId} was answered by ${owner ?? 'nobody'}, the shard is ${inLog}'s`)
    } catch (error) {
      world.fail(error as Error)
    }
  }

  /** Askers are no process: nothing crashes or freezes them. */
  #later(delayMs: number, happen: () => void): void {
    this.#around.world.at(delayMs, null, happen)
  }
}
