import { shardDigits } from '../../domain/references.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { Held } from './watch-messages.ts'
import type { WatchSettings } from './settings.ts'

/** That a node watches a mailbox of a shard that is served here. */
export type WatchNote = {
  readonly mailbox: string
  readonly node: string
  /** Of the shard, when the node said so: what came in another epoch was announced elsewhere. */
  epoch: number
  untilMs: number
  /** What the node has to name to be known: another one each time that it was told to look. */
  token: number
  /** Something was announced that did not come through to it. */
  hasMissed: boolean
  /** How often the node said it again. */
  holds: number
}

export type NotesPorts = {
  readonly runtime: Pick<Runtime, 'monotonicMs' | 'random'>
  /** Null where the shard is not served here. */
  readonly epochOf: (shard: number) => number | null
}

/** The owner's side: which nodes watch what, each until it has not said so for the time of a lease. */
export class WatchNotes {
  readonly #ports: NotesPorts
  readonly #settings: Pick<WatchSettings, 'leaseMs' | 'watchesMax' | 'watchesOfOneMax'>
  readonly #of = new Map<string, WatchNote[]>()
  /** In the order in which they end. */
  readonly #all = new Set<WatchNote>()
  readonly #ofNode = new Map<string, number>()
  /** Another process of the same name begins elsewhere. */
  #lastToken: number

  constructor(
    ports: NotesPorts,
    settings: Pick<WatchSettings, 'leaseMs' | 'watchesMax' | 'watchesOfOneMax'>,
  ) {
    this.#ports = ports
    this.#settings = settings
    this.#lastToken = Math.floor(ports.runtime.random() * TOKENS)
  }

  get size(): number {
    return this.#all.size
  }

  /** `token`: what the node was last told; an answer that it never got does not count. */
  hold(node: string, mailbox: string, token: number): Held {
    const epoch = this.#ports.epochOf(shardDigits(mailbox))
    if (epoch === null) return ELSEWHERE
    const nowMs = this.#ports.runtime.monotonicMs()
    const untilMs = nowMs + this.#settings.leaseMs
    const note = this.#of.get(mailbox)?.find((each) => each.node === node)
    if (note === undefined) return this.#add({ mailbox, node, epoch, untilMs }, nowMs)
    const isKnown = note.epoch === epoch && nowMs < note.untilMs && !note.hasMissed && note.token === token
    Object.assign(note, { epoch, untilMs, hasMissed: false, holds: note.holds + 1 })
    if (!isKnown) note.token = ++this.#lastToken
    this.#all.delete(note)
    this.#all.add(note)
    return { is: isKnown ? 'known' : 'new', token: note.token }
  }

  /** Those that are not over. */
  of(mailbox: string): readonly WatchNote[] {
    const notes = this.#of.get(mailbox)
    if (notes === undefined) return NONE
    const nowMs = this.#ports.runtime.monotonicMs()
    return notes.filter(({ untilMs }) => nowMs < untilMs)
  }

  remove(note: WatchNote): void {
    if (!this.#all.delete(note)) return
    const left = this.#of.get(note.mailbox)?.filter((each) => each !== note) ?? []
    if (left.length > 0) this.#of.set(note.mailbox, left)
    else this.#of.delete(note.mailbox)
    const count = (this.#ofNode.get(note.node) ?? 1) - 1
    if (count > 0) this.#ofNode.set(note.node, count)
    else this.#ofNode.delete(note.node)
  }

  #add(told: Pick<WatchNote, 'mailbox' | 'node' | 'epoch' | 'untilMs'>, nowMs: number): Held {
    this.#dropOver(nowMs)
    const { watchesMax, watchesOfOneMax } = this.#settings
    const ofNode = this.#ofNode.get(told.node) ?? 0
    if (this.#all.size >= watchesMax || ofNode >= watchesOfOneMax) return FULL
    const note = { ...told, token: ++this.#lastToken, hasMissed: false, holds: 0 }
    const others = this.#of.get(told.mailbox)
    if (others === undefined) this.#of.set(told.mailbox, [note])
    else others.push(note)
    this.#all.add(note)
    this.#ofNode.set(told.node, ofNode + 1)
    return { is: 'new', token: note.token }
  }

  #dropOver(nowMs: number): void {
    for (const note of this.#all) {
      if (nowMs < note.untilMs) return
      this.remove(note)
    }
  }
}

const NONE: readonly WatchNote[] = []
const TOKENS = 2 ** 40
const ELSEWHERE: Held = { is: 'elsewhere', token: 0 }
const FULL: Held = { is: 'full', token: 0 }
