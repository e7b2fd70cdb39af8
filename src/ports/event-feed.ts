import type { Refused } from '../domain/decider.ts'
import type { PublicEvent } from './publication.ts'

/**
 * Why a place ends: the listener was so slow that events are gone (`behind`), events were lost on their way to this
 * process (`lost`), or the place went to an organisation that had fewer (`displaced`).
 */
export type FeedEnd = 'behind' | 'lost' | 'displaced'

/** The id of an event that is too large to be kept for listeners, in place of the event. */
export type TooLarge = { readonly tooLarge: string }

/** An event that was made up to try a listener. It tells of nothing, so no listener goes on behind it. */
export type Synthetic = { readonly synthetic: PublicEvent }

/** The position of a listener in the events of its organisation; disposing it gives the place back. */
export interface FeedPlace extends Disposable {
  /** False when the events after the one that the listener saw last are no longer kept. */
  readonly isUnbroken: boolean
  /** True once another listener has the place, even if this one has not seen the end yet. */
  readonly isDisplaced: boolean
  /** The next event; null when there is none yet. */
  next(): PublicEvent | TooLarge | Synthetic | FeedEnd | null
}

/** Programs with an API key and people in the console have places of their own. */
export type ListenerKind = 'api_key' | 'session'

/** Who listens; a person by the id of the account. */
export type Listener = { readonly kind: 'api_key' } | { readonly kind: 'session'; readonly person: string }

/** Events of an organisation while they happen, for its present listeners; none is kept for later. */
export interface EventFeed {
  /**
   * Throws when events cannot be followed now, soon enough for a caller who waits. After it resolves every event is
   * handed out by `next`; `wake` is called when there is one. `after` is the id of the event that the listener saw
   * last, null for none.
   */
  listen(
    tenant: string,
    after: string | null,
    wake: () => void,
    listener?: Listener,
  ): Promise<FeedPlace | Refused>
  /**
   * Hands a made-up event to those who listen now, whichever node they are connected to, and to nobody later. Resolves
   * with how many they are.
   */
  trigger(event: PublicEvent): Promise<number>
}
