import type { PublicEvent } from './publication.ts'

/** The position of the cause in the journal: shard, slot, entry. One entry can cause several events. */
export type StreamPlace = { readonly shard: number; readonly no: number; readonly index: number }

export type StreamRecord = {
  readonly place: StreamPlace
  readonly event: PublicEvent
  /**
   * Nobody can have seen the event before: it was committed since its shard was opened here, and is handed over for the
   * first time. Left out where that is not known.
   */
  readonly isFirst?: true
}

/** Of a record that is there and cannot be read: what its headers say of it, and why it cannot. */
export type UnreadableRecord = {
  readonly event: Pick<PublicEvent, 'id' | 'type' | 'tenant' | 'recordId'> & { readonly actor: string }
  readonly error: Error
}

/** The stream took the records before `index` and takes those after it, but never this one: it is too large. */
export class EventRefused extends Error {
  override readonly name = 'EventRefused'
  readonly retryable = false
  readonly index: number
  constructor(index: number, options?: ErrorOptions) {
    super('the stream refuses an event', options)
    this.index = index
  }
}

/**
 * Rejects when the records are not handled, and then all of them come again. At-least-once: any record can come twice.
 */
export type StreamHandler = (records: readonly StreamRecord[]) => Promise<void>

export type StreamListener = (records: readonly StreamRecord[]) => void

/** Carries committed events from the owner of their journal to their subscribers. */
export interface EventStream extends AsyncDisposable {
  /**
   * Resolves when the records can no longer be lost; rejects while that is not known, and is then called again with
   * them, or with EventRefused.
   */
  publish(records: readonly StreamRecord[]): Promise<void>
  /**
   * Every group gets every record; the members of a group share them. Events of one record come in their order.
   * Closing waits for the handler that runs. What cannot be read goes to `setAside`, whose end the records behind it wait
   * for; without that it is reported and left out.
   */
  subscribe(
    group: string,
    handler: StreamHandler,
    setAside?: (record: UnreadableRecord) => Promise<void>,
  ): Promise<AsyncDisposable>
  /**
   * Hands over every record that is published after it resolves, to this process alone and while it listens: nothing is
   * kept for a listener, and no publisher waits for one. `lost` is called when some records may be missing.
   */
  listen(listener: StreamListener, lost: () => void): Promise<AsyncDisposable>
  probe(): Promise<void>
}
