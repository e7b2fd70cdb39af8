import { isRefused } from '../../../src/domain/decider.ts'
import { shardOf } from '../../../src/domain/references.ts'
import { addressed, AskFailed, type Actors } from '../../../src/ports/actors.ts'
import { counters, randomAdd, type CounterCommand, type CounterReply } from '../counter.ts'
import type { Random } from '../random.ts'
import type { SimulatedProcess } from '../simulated-process.ts'
import { TOGETHER, type Truth } from '../truth.ts'
import { Violation, type World } from '../world.ts'
import type { AsksNode } from './asks-node.ts'

const LOOK_PAUSE_MS = 2_000
/** Clocks may run slow and wake late, and deadlines are kept to a grain. */
const SETTLES_WITHIN = 1.2
const SETTLES_LATER_MS = 3_000

type Around = {
  readonly world: World
  readonly truth: Truth
  readonly actors: readonly string[]
  nodes(): readonly AsksNode[]
}

/**
 * A caller who gives one command after the other, at any node, and repeats each under its id until it is answered. It
 * never hears that a node does not own a shard, and hears something of every ask soon after its deadline.
 */
export class Caller {
  readonly #name: string
  readonly #around: Around
  readonly #random: Random
  readonly #pauseMs: number
  #remaining: number
  #given = 0

  constructor(name: string, around: Around, commands: number, activeMs: number) {
    this.#name = name
    this.#around = around
    this.#random = around.world.random
    this.#pauseMs = (2 * activeMs) / commands
    this.#remaining = commands
  }

  get isFinished(): boolean {
    return this.#remaining === 0
  }

  start(): void {
    this.#later(this.#random.next() * 8_000, () => this.#next())
    this.#later(this.#random.next() * 8_000, () => this.#look())
  }

  #look(): void {
    if (this.#around.world.healed) return
    const actor = this.#random.pick(this.#around.actors)
    this.#send([actor], null, '', () => {})
    this.#later(this.#random.next() * LOOK_PAUSE_MS, () => this.#look())
  }

  #next(): void {
    if (this.#remaining === 0) return
    const number = `${this.#name}-${++this.#given}`
    const actor = this.#random.pick(this.#around.actors)
    const others = this.#around.actors.filter((each) => each !== actor && shardOf(each) === shardOf(actor))
    const isTogether = others.length > 0 && this.#random.chance(0.2)
    const targets = isTogether ? [actor, this.#random.pick(others)] : [actor]
    this.#attempt(targets, isTogether ? `${TOGETHER}${number}` : number)
  }

  #attempt(targets: readonly string[], commandId: string): void {
    const add = randomAdd(this.#random, commandId, { owes: 0, sets: 0, dueMs: () => 0 })
    const again = (): void => this.#attempt(targets, commandId)
    let over = false
    const finish = (isAnswered: boolean): void => {
      if (over) return
      over = true
      if (!isAnswered) return this.#later(this.#random.between(20, 800), again)
      this.#remaining--
      this.#later(this.#random.next() ** 2 * this.#pauseMs, () => this.#next())
    }
    this.#send(targets, add, commandId, finish)
    // A node that dies or freezes tells its caller nothing.
    this.#later(9_000, () => finish(false))
  }

  #send(
    targets: readonly string[],
    command: CounterCommand | null,
    commandId: string,
    finish: (isAnswered: boolean) => void,
  ): void {
    const { world, truth } = this.#around
    const nodes = this.#around.nodes()
    if (nodes.length === 0) return this.#later(500, () => finish(false))
    const { actors, process } = this.#random.pick(nodes)
    const timeoutMs = this.#random.pick([500, 2_000, 5_000])
    const atLeast = targets.map((actor) => truth.toldSeq(actor))
    world.at(this.#random.next() * 5, process, () => {
      if (!process.acts()) return
      let isSettled = false
      const asked =
        command === null ? read(actors, targets) : ask(actors, targets, command, commandId, timeoutMs)
      asked.then(
        (replies) => {
          isSettled = true
          if (!process.acts()) return
          for (const [index, reply] of replies.entries())
            this.#check(targets[index] ?? '', command, commandId, reply, atLeast[index] ?? 0)
          this.#later(this.#random.next() * 5, () => finish(true))
        },
        (error: unknown) => {
          isSettled = true
          this.#checkFailure(`${commandId || 'a look'} at ${process.name}`, error)
          this.#later(this.#random.next() * 5, () => finish(false))
        },
      )
      if (command !== null) void this.#expectEnd(process, commandId, timeoutMs, () => isSettled)
    })
  }

  async #expectEnd(
    process: SimulatedProcess,
    id: string,
    timeoutMs: number,
    isSettled: () => boolean,
  ): Promise<void> {
    await process.runtime.sleep(timeoutMs * SETTLES_WITHIN + SETTLES_LATER_MS)
    // What was due while the process was frozen comes first.
    await process.runtime.sleep(SETTLES_LATER_MS)
    if (!isSettled()) this.#around.world.fail(new Violation(`${id} at ${process.name} is never answered`))
  }

  #check(
    actor: string,
    command: CounterCommand | null,
    commandId: string,
    { seq }: CounterReply,
    atLeast: number,
  ): void {
    const { world, truth } = this.#around
    world.note(() => `${commandId || 'a look'} of ${actor} is answered with ${seq}`)
    try {
      if (command !== null && !truth.isCommitted(actor, commandId))
        throw new Violation(`${commandId} was acknowledged and is not committed`)
      truth.told(actor, seq, atLeast)
    } catch (error) {
      world.fail(error as Error)
    }
  }

  #checkFailure(what: string, error: unknown): void {
    const { world } = this.#around
    const code = error instanceof AskFailed ? error.code : String(error)
    world.note(() => `${what}: ${code}`)
    if (code !== 'unavailable' && code !== 'overloaded') world.fail(new Violation(`${what} ended in ${code}`))
  }

  #later(delayMs: number, happen: () => void): void {
    this.#around.world.at(delayMs, null, happen)
  }
}

const read = async (actors: Actors, targets: readonly string[]): Promise<readonly CounterReply[]> =>
  Promise.all(targets.map(async (actor) => counted(await actors.read(counters.ref(actor)))))

const ask = async (
  actors: Actors,
  targets: readonly string[],
  command: CounterCommand,
  commandId: string,
  timeoutMs: number,
): Promise<readonly CounterReply[]> => {
  const options = { commandId, timeoutMs, tenant: null }
  const [one = '', other] = targets
  if (other === undefined) return [counted(await actors.ask(counters.ref(one), command, options))]
  const replies = await actors.askAtomically(
    targets.map((actor) => addressed(counters.ref(actor), command)),
    options,
  )
  if (isRefused(replies)) throw new Violation('a counter refuses nothing')
  return replies.map(counted)
}

const counted = (reply: unknown): CounterReply => reply as CounterReply
