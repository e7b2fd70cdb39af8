import type { Refused } from '../domain/refused.ts'
import type { PublicEvent } from './publication-port.ts'

/** Where a listener stands in the events of its organisation; disposing gives its place away. */
export interface FeedPlace extends Disposable {
  /** False: what came after the event that the listener knew last is not kept any more. */
  readonly isUnbroken: boolean
  /** The next event. Null: none yet. `behind`: so many came meanwhile that some are gone. */
  next(): PublicEvent | 'behind' | null
}

/** Events of an organisation while they happen, for whoever listens now; nothing is owed to anybody. */
export interface EventFeed {
  /**
   * From the resolution on every event is handed out by `next`; `wake` says that there is one. `after`: the id of the
   * event that the listener has seen last, null for none.
   */
  listen(tenant: string, after: string | null, wake: () => void): Promise<FeedPlace | Refused>
}
