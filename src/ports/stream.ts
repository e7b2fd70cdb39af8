import type { PublicEvent } from './publication.ts'

/** Where the cause stands in the journal: shard, slot, entry. One entry can cause several events. */
export type StreamPlace = { readonly shard: number; readonly no: number; readonly index: number }

export type StreamRecord = { readonly place: StreamPlace; readonly event: PublicEvent }

/** Rejects: nothing of the records counts as handled, they come again. At-least-once: any record can come twice. */
export type StreamHandler = (records: readonly StreamRecord[]) => Promise<void>

export type StreamListener = (records: readonly StreamRecord[]) => void

/** The way of committed events from the owner of their journal to those who act on them. */
export interface EventStream extends AsyncDisposable {
  /** Resolves when the records cannot be lost any more; rejects while that is not known, and is called again with them. */
  publish(records: readonly StreamRecord[]): Promise<void>
  /**
   * Every group gets every record; the members of a group share them. Events of one record come in their order.
   * Closing waits for the handler that runs.
   */
  subscribe(group: string, handler: StreamHandler): Promise<AsyncDisposable>
  /**
   * Every record that is published from the resolution on, to this process alone, while it listens: what happens
   * meanwhile elsewhere is not kept, and nobody waits for the listener. `lost`: some records may be missing here.
   */
  listen(listener: StreamListener, lost: () => void): Promise<AsyncDisposable>
  probe(): Promise<void>
}
