import type { Refused } from '../domain/refused.ts'
import type { PublicEvent } from './publication.ts'

/**
 * Why a place ends: so many events came meanwhile that some are gone (`behind`), the way of the events to this process
 * was broken (`lost`), or an organisation that had fewer places got this one (`displaced`).
 */
export type FeedEnd = 'behind' | 'lost' | 'displaced'

/** Instead of an event that is too large to be kept for listeners: its id. */
export type TooLarge = { readonly tooLarge: string }

/** Where a listener stands in the events of its organisation; disposing gives its place away. */
export interface FeedPlace extends Disposable {
  /** False: what came after the event that the listener knew last is not kept any more. */
  readonly isUnbroken: boolean
  /** Another listener has the place already, whether or not this one was told. */
  readonly isDisplaced: boolean
  /** The next event. Null: none yet. */
  next(): PublicEvent | TooLarge | FeedEnd | null
}

/** Events of an organisation while they happen, for whoever listens now; nothing is owed to anybody. */
export interface EventFeed {
  /**
   * Throws when events cannot be had now, soon enough for somebody who waits. From the resolution on every event is
   * handed out by `next`; `wake` says that there is one. `after`: the id of the event that the listener has seen last,
   * null for none.
   */
  listen(tenant: string, after: string | null, wake: () => void): Promise<FeedPlace | Refused>
}
