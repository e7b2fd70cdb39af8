import { LRUCache } from 'lru-cache'
import type { Runtime } from '../../ports/runtime.ts'
import type { QueuedMessage } from './state.ts'

/** After this it is looked for again: bodies may be put back after the journal was. */
const LOOKED_FOR_AGAIN_MS = 600_000
const MAILBOXES_MAX = 10_000

/**
 * Messages whose envelopes were not there when this node looked for them. They stay in their queues until their age ends
 * them, and are neither counted nor handed out meanwhile: a phone that read their number would ask for them for ever.
 */
export class LostMessages {
  readonly #runtime: Pick<Runtime, 'monotonicMs'>
  /** Until when each is left out. */
  readonly #ofMailbox = new LRUCache<string, ReadonlyMap<string, number>>({ max: MAILBOXES_MAX })

  constructor(runtime: Pick<Runtime, 'monotonicMs'>) {
    this.#runtime = runtime
  }

  note(mailbox: string, ids: readonly string[]): void {
    const untilMs = this.#runtime.monotonicMs() + LOOKED_FOR_AGAIN_MS
    const noted = new Map(this.#now(mailbox))
    for (const id of ids) noted.set(id, untilMs)
    this.#ofMailbox.set(mailbox, noted)
  }

  areIn(mailbox: string): boolean {
    return this.#now(mailbox).length > 0
  }

  without(mailbox: string, messages: readonly QueuedMessage[]): readonly QueuedMessage[] {
    const lost = new Map(this.#now(mailbox))
    return lost.size === 0 ? messages : messages.filter(({ id }) => !lost.has(id))
  }

  #now(mailbox: string): readonly (readonly [string, number])[] {
    const noted = this.#ofMailbox.get(mailbox)
    if (noted === undefined) return []
    const nowMs = this.#runtime.monotonicMs()
    const left = [...noted].filter(([, untilMs]) => nowMs < untilMs)
    if (left.length === 0) this.#ofMailbox.delete(mailbox)
    return left
  }
}
