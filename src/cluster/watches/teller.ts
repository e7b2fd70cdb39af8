import type { NodeLink } from '../../ports/node-link.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { SameLimit } from '../../timing/same-limit.ts'
import { decode, encode } from '../json-bytes.ts'
import { FewAtOnce } from './few-at-once.ts'
import { type LocalWatches, oneOf } from './local-watches.ts'
import type { WatchSettings } from './settings.ts'
import { TELL, type TellAnswer } from './watch-messages.ts'
import type { WatchNote, WatchNotes } from './watch-notes.ts'

export type TellerParts = {
  readonly node: string
  readonly link: Pick<NodeLink, 'request'>
  readonly runtime: Pick<Runtime, 'sleep' | 'monotonicMs'>
  readonly local: LocalWatches
  readonly notes: WatchNotes
}

/** Tells nodes that something came for a mailbox which they watch. */
export class Teller {
  readonly #parts: TellerParts
  readonly #settings: WatchSettings
  readonly #tells: FewAtOnce
  readonly #limit: SameLimit

  constructor(parts: TellerParts, settings: WatchSettings) {
    this.#parts = parts
    this.#settings = settings
    this.#tells = new FewAtOnce(settings.atOnceMax)
    this.#limit = new SameLimit(parts.runtime, settings.tellTimeoutMs * ANSWER_SHARE)
  }

  /** Resolves with whether one of those who watch has taken what there is. */
  tellAll(mailbox: string): Promise<boolean> {
    return oneOf(this.#parts.notes.of(mailbox).map((note) => this.#tell(note)))
  }

  isWatched(mailbox: string): boolean {
    return this.#parts.notes.of(mailbox).length > 0
  }

  #tell(note: WatchNote): Promise<boolean> {
    return this.#tells.run(`${note.mailbox} ${note.node}`, () => this.#told(note))
  }

  /** What does not come through is noted, so that the node hears of it when it next says that it watches. */
  async #told(note: WatchNote): Promise<boolean> {
    const { holds } = note
    if (note.node === this.#parts.node) {
      if (!this.#parts.local.has(note.mailbox)) this.#parts.notes.remove(note)
      return this.toldHere(note.mailbox)
    }
    try {
      const answer = await this.#request(note)
      // The node may have begun to watch it again meanwhile.
      if (answer === 'gone' && note.holds === holds) this.#parts.notes.remove(note)
      return answer === 'taken'
    } catch {
      note.hasMissed = true
      return false
    }
  }

  /** Whether a session here has taken what there is. */
  toldHere(mailbox: string): Promise<boolean> {
    return this.#limit.within(this.#parts.local.tell(mailbox), false)
  }

  stop(): void {
    this.#limit.end()
  }

  async #request({ node, mailbox }: WatchNote): Promise<TellAnswer> {
    const { link } = this.#parts
    const answer = await link.request(node, TELL, encode(mailbox), {
      timeoutMs: this.#settings.tellTimeoutMs,
    })
    return decode(answer) as TellAnswer
  }
}

/** The answer has to be back while it is waited for. */
const ANSWER_SHARE = 0.9
