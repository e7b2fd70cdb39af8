import type { Eventually } from '../../domain/eventually.ts'
import { isNotOwner } from '../../ports/actors.ts'
import { LinkFailed, type NodeLink } from '../../ports/node-link.ts'
import type { ShardMapView } from '../../ports/shard-map.ts'
import { readAnswer } from './answer.ts'
import { requestFrame, textOf } from './request.ts'
import { unavailable } from './settings.ts'

/** The service of the link under which nodes ask each other. */
export const ASKS = 'asks'

/** What came of one try. `no_answer`: it may have been done there or not. */
export type Outcome =
  | { readonly is: 'reply'; readonly reply: unknown }
  | { readonly is: 'failure'; readonly error: Error }
  | { readonly is: 'not_owner'; readonly mapVersion: number }
  | { readonly is: 'no_answer' }

/** What cannot be read, told without its content. */
export type ReportAsk = (fault: { readonly node: string; readonly error: unknown }) => void

type Parts = {
  readonly link: Pick<NodeLink, 'request'>
  readonly map: Pick<ShardMapView, 'current'>
  readonly inFlightPerNodeMax: number
  readonly report: ReportAsk
}

const NO_ANSWER: Outcome = { is: 'no_answer' }

/** One try at a time at another node, with a bound for each: a node that hangs takes no room from the others. */
export class OtherNodes {
  readonly #parts: Parts
  readonly #inFlight = new Map<string, number>()
  hops = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  roomOf(node: string): number {
    return this.#parts.inFlightPerNodeMax - (this.#inFlight.get(node) ?? 0)
  }

  hasRoom(node: string): boolean {
    return this.roomOf(node) > 0
  }

  get inFlight(): number {
    let sum = 0
    for (const count of this.#inFlight.values()) sum += count
    return sum
  }

  async ask(node: string, text: string, timeoutMs: number): Promise<Outcome> {
    this.hops++
    this.#inFlight.set(node, (this.#inFlight.get(node) ?? 0) + 1)
    try {
      return await this.#try(node, text, timeoutMs)
    } finally {
      const left = (this.#inFlight.get(node) ?? 0) - 1
      if (left > 0) this.#inFlight.set(node, left)
      else this.#inFlight.delete(node)
    }
  }

  /** Costs no place among the asks: whether a node serves a shard must be heard even when it is busy. */
  look(node: string, shard: number, timeoutMs: number): Promise<Outcome> {
    return this.#try(node, textOf(['look', shard]), timeoutMs)
  }

  /** A shard that is lost meanwhile is as good as one that was never here. */
  async askHere(here: () => Eventually<unknown>): Promise<Outcome> {
    try {
      return { is: 'reply', reply: await here() }
    } catch (error) {
      if (isNotOwner(error)) return { is: 'not_owner', mapVersion: 0 }
      return { is: 'failure', error: error as Error }
    }
  }

  async #try(node: string, text: string, timeoutMs: number): Promise<Outcome> {
    const { link, map, report } = this.#parts
    let frame: Uint8Array
    try {
      const asked = requestFrame(text, timeoutMs, map.current().version)
      frame = await link.request(node, ASKS, asked, { timeoutMs })
    } catch (error) {
      if (error instanceof LinkFailed) return NO_ANSWER
      report({ node, error })
      return { is: 'failure', error: unavailable('another node could not be asked') }
    }
    try {
      return readAnswer(frame)
    } catch (error) {
      report({ node, error })
      return { is: 'failure', error: unavailable('the answer of another node cannot be read') }
    }
  }
}
