import { setTimeout as pause } from 'node:timers/promises'
import { actorId } from '../../../src/domain/references.ts'
import { within } from '../../../src/timing/within.ts'
import { randomAdd, type CounterCommand, type CounterReply } from '../../simulate/counter.ts'
import type { Random } from '../../simulate/random.ts'
import type { Node } from './node.ts'
import type { Asked } from './node-process.ts'

export type Acknowledged = { readonly actor: string; readonly commandId: string; readonly seq: number }

/** A frozen process gives no answer at all. */
const ASK_LIMIT_MS = 8_000
const NO_ANSWER: Asked = { refusal: 'no answer', retryable: true }
const RETRY_MS = 30

/** Concurrent askers who repeat each command under its id, on any node, until one answers. */
export class Askers {
  readonly acknowledged: Acknowledged[] = []
  readonly problems: string[] = []
  readonly refusals = new Map<string, number>()
  /** The longest time in which no asker got an answer. */
  longestSilenceMs = 0
  readonly #nodes: readonly Node[]
  readonly #actors: readonly string[]
  readonly #random: Random
  /** The longest history that an answer was based on: no later answer may be based on a shorter one. */
  readonly #answeredSeq = new Map<string, number>()
  readonly #likelyNode = new Map<string, Node>()
  #stopping = false
  #answeredMs = performance.now()
  #running: Promise<unknown> = Promise.resolve()

  constructor(nodes: readonly Node[], random: Random, shardCount: number, actorCount: number) {
    this.#nodes = nodes
    this.#random = random
    this.#actors = Array.from({ length: actorCount }, (_, index) =>
      actorId('cnt', index % shardCount, String(index).padStart(8, '0')),
    )
  }

  start(count: number): void {
    this.#answeredMs = performance.now()
    this.#running = Promise.all(
      Array.from({ length: count }, (_, index) => this.#askUntilFinished(`a${index}`)),
    )
  }

  /** No new commands; those under way are repeated until they are answered. */
  async finish(): Promise<void> {
    this.#stopping = true
    await this.#running
  }

  async #askUntilFinished(name: string): Promise<void> {
    for (let number = 1; !this.#stopping; number++) {
      const actor = this.#random.pick(this.#actors)
      const commandId = `${name}-${number}`
      await this.#askUntilAnswered(actor, this.#command(commandId), commandId)
    }
  }

  #command(commandId: string): CounterCommand {
    const random = this.#random
    if (random.chance(0.2)) return { is: 'read' }
    const dueMs = () => Date.now() + random.below(15_000)
    return randomAdd(random, commandId, { owes: 0.2, sets: 0.1, dueMs })
  }

  async #askUntilAnswered(actor: string, command: CounterCommand, commandId: string): Promise<void> {
    for (;;) {
      const node = this.#likelyNode.get(actor) ?? this.#random.pick(this.#nodes)
      const atLeast = this.#answeredSeq.get(actor) ?? 0
      const asking = within(ASK_LIMIT_MS, node.ask(actor, command, commandId), () => new Error('late'))
      const asked = await asking.catch(() => NO_ANSWER)
      if ('reply' in asked) {
        this.#likelyNode.set(actor, node)
        return this.#answered(actor, command, commandId, asked.reply, atLeast)
      }
      this.#likelyNode.delete(actor)
      const { refusal, retryable } = asked
      this.refusals.set(refusal, (this.refusals.get(refusal) ?? 0) + 1)
      if (!retryable) this.problems.push(`${commandId} was refused for good: ${refusal}`)
      await pause(RETRY_MS * (1 + this.#random.next()))
    }
  }

  #answered(
    actor: string,
    command: CounterCommand,
    commandId: string,
    { seq }: CounterReply,
    atLeast: number,
  ): void {
    const nowMs = performance.now()
    this.longestSilenceMs = Math.max(this.longestSilenceMs, nowMs - this.#answeredMs)
    this.#answeredMs = nowMs
    if (seq < atLeast) this.problems.push(`${commandId}: ${actor} had ${seq} events after it had ${atLeast}`)
    this.#answeredSeq.set(actor, Math.max(this.#answeredSeq.get(actor) ?? 0, seq))
    if (command.is === 'add') this.acknowledged.push({ actor, commandId, seq })
  }
}
