import { actorId } from '../../../src/domain/references.ts'
import { type Actors, isRetryable, type Removals } from '../../../src/ports/actors.ts'
import { counters, type CounterReply } from '../counter.ts'
import { Violation, type World } from '../world.ts'
import type { AsksNode } from './asks-node.ts'

/** No frame is later, and no ask lasts longer, so nothing that was sent about a record comes after this. */
const ARRIVED_MS = 20_000
const ASK_TIMEOUT_MS = 2_000
/** A node that dies or freezes tells its caller nothing. */
const PATIENCE_MS = 9_000
const LOOK_PAUSE_MS = 2_000
const LOOKS = 12

type Around = { readonly world: World; nodes(): readonly AsksNode[] }
type Asked<Answer> = (actors: Actors & Removals) => Promise<Answer>

/**
 * Makes a record and has it removed again, at any node, each until it is answered. From the answer to the removal on it
 * finds nothing under the id, wherever it looks and whoever serves the shard.
 */
export class Remover {
  readonly #around: Around
  readonly #actor: string
  #looksLeft = LOOKS

  constructor(number: number, shard: number, around: Around) {
    this.#around = around
    this.#actor = actorId('cnt', shard, `1${String(number).padStart(7, '0')}`)
  }

  get isFinished(): boolean {
    return this.#looksLeft === 0
  }

  start(): void {
    const { random } = this.#around.world
    // With as many it is folded, or has a snapshot.
    this.#later(random.next() * 5_000, () => this.#add(random.pick([1, 3, 7])))
  }

  #add(left: number): void {
    if (left === 0) return this.#later(ARRIVED_MS, () => this.#remove())
    const command = { is: 'add', amount: 1, owe: null, timer: null } as const
    const options = { commandId: `${this.#actor}-${left}`, timeoutMs: ASK_TIMEOUT_MS, tenant: null }
    this.#untilAnswered(
      'adding to',
      async (actors) => actors.ask(counters.ref(this.#actor), command, options),
      () => this.#add(left - 1),
    )
  }

  #remove(): void {
    this.#untilAnswered(
      'removing',
      (actors) => actors.remove(this.#actor),
      () => this.#look(),
    )
  }

  #look(): void {
    const { world } = this.#around
    if (this.isFinished) return
    this.#untilAnswered(
      'looking for',
      async (actors) => actors.read(counters.ref(this.#actor)),
      (answer) => {
        const { seq } = answer as CounterReply
        if (seq > 0) world.fail(new Violation(`${this.#actor} was removed, and is shown with ${seq} events`))
        this.#looksLeft--
        this.#later(world.random.next() * LOOK_PAUSE_MS, () => this.#look())
      },
    )
  }

  #untilAnswered<Answer>(what: string, asked: Asked<Answer>, answered: (answer: Answer) => void): void {
    const { world } = this.#around
    const { random } = world
    let isOver = false
    const over = (then: () => void): void => {
      if (isOver) return
      isOver = true
      then()
    }
    const again = (): void =>
      this.#later(random.between(20, 800), () => this.#untilAnswered(what, asked, answered))
    this.#later(PATIENCE_MS, () => over(again))
    const nodes = this.#around.nodes()
    if (nodes.length === 0) return
    const { actors, process } = random.pick(nodes)
    world.at(random.next() * 5, process, () => {
      // Nobody waits any more for what a frozen node has not begun.
      if (isOver || !process.acts()) return
      asked(actors).then(
        (answer) => {
          if (!process.acts()) return
          world.note(() => `${what} ${this.#actor} at ${process.name} is answered`)
          this.#later(random.next() * 5, () => over(() => answered(answer)))
        },
        (error: unknown) => {
          world.note(() => `${what} ${this.#actor} at ${process.name}: ${String(error)}`)
          if (!isRetryable(error))
            world.fail(new Violation(`${what} ${this.#actor} ended in ${String(error)}`))
          over(again)
        },
      )
    })
  }

  #later(delayMs: number, happen: () => void): void {
    this.#around.world.at(delayMs, null, happen)
  }
}
