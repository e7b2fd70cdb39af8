import { isRefused, type KindTypes } from '../../domain/decider.ts'
import type { BodyReference } from '../../domain/body-reference.ts'
import type { Ref } from '../../domain/references.ts'
import type { AskOptions } from '../../ports/actors.ts'
import { type BodyPorts, type Enclosed, keepBody } from '../bodies.ts'
import type { InboundPorts } from '../kind-ports.ts'

type AnyEnclosed = Enclosed<unknown, unknown>
type Ports = BodyPorts & Pick<InboundPorts, 'actors'>

/** Beyond these, bodies whose event may or may not have come go with the end of their exchange. */
const UNCERTAIN_MAX = 10_000

/**
 * Asks actors with what messages enclose. A record hears one such message at a time, and a body that no event came to
 * name is deleted, so it never has more than two of them.
 */
export class EnclosedMessages {
  readonly #ports: Ports
  readonly #turns = new Map<string, Promise<unknown>>()
  /** By record: a body that was kept for a command of which no answer came. */
  readonly #uncertain = new Map<string, BodyReference>()

  constructor(ports: Ports) {
    this.#ports = ports
  }

  ask(to: Ref<KindTypes>, enclosed: AnyEnclosed, options: AskOptions): Promise<unknown> {
    const ask = () => this.#ask(to, enclosed, options)
    const turn = this.#turns.get(to)?.then(ask, ask) ?? ask()
    this.#turns.set(to, turn)
    const end = (): void => {
      if (this.#turns.get(to) === turn) this.#turns.delete(to)
    }
    turn.then(end, end)
    return turn
  }

  async #ask(to: Ref<KindTypes>, enclosed: AnyEnclosed, options: AskOptions): Promise<unknown> {
    const { actors } = this.#ports
    const record: unknown = await actors.read(to)
    const isAwaited = !isRefused(record) && enclosed.isAwaitedBy(record)
    const body = isAwaited ? await this.#keep(to, enclosed.text) : null
    const reply: unknown = await actors.ask(to, enclosed.commandWith(body), options)
    if (body === null) return reply
    this.#uncertain.delete(to)
    if (isRefused(reply) || !enclosed.isNamedBy(reply, body)) this.#delete(to, body)
    return reply
  }

  async #keep(to: Ref<KindTypes>, text: string): Promise<BodyReference> {
    // The record still waits, so the command of an earlier body was not decided and is not decided any more.
    const earlier = this.#uncertain.get(to)
    if (earlier !== undefined) this.#delete(to, earlier)
    const body = await keepBody(this.#ports, to, text)
    if (this.#uncertain.size >= UNCERTAIN_MAX) this.#uncertain.clear()
    this.#uncertain.set(to, body)
    return body
  }

  /** What cannot be deleted now goes with the end of the exchange. */
  #delete(to: Ref<KindTypes>, { id }: BodyReference): void {
    this.#ports.bodies.delete(to, id).catch(() => undefined)
  }
}
