import { isRetryable } from './actors.ts'
import type { PublicEvent } from './publication.ts'
import { lacksKey } from './vault.ts'

/** Those who go on without a record that cannot be read: the lists, the publisher of events, the intake of webhooks. */
export const PARKED_PARTS = ['lists', 'events', 'webhooks', 'stream'] as const
export type ParkedPart = (typeof PARKED_PARTS)[number]

/** A public event that waits for the record that is parked, by its id and whose journal has it. */
export type HeldEvent = Pick<PublicEvent, 'id' | 'recordId' | 'actor'> & {
  /** Since when it waits; older releases did not note it. */
  readonly sinceMs?: number
}

const ACTOR_IN_ID = /^evt_(.+)_\d+$/

/** The actor whose journal has the event. Where an older release has not named it, the id of the event does. */
export const journalOf = ({ id, actor, recordId }: HeldEvent): string =>
  actor ?? ACTOR_IN_ID.exec(id)?.[1] ?? recordId

/** The first event that was not passed on, and its entry in the log of the shard. */
export type ParkedFrom = { readonly seq: number; readonly no: number; readonly index: number }

/** One record that one part goes on without. Ids, places and names of errors only: no content of the record. */
export type Parked = {
  readonly id: string
  readonly part: ParkedPart
  /** The actor that cannot be read. */
  readonly recordId: string
  /** Its events wait from here on; null where none wait. */
  readonly from: ParkedFrom | null
  /** Of webhooks: the events that were to go through the record, in their order. */
  readonly held: readonly HeldEvent[]
  readonly error: string
  readonly sinceMs: number
  readonly attempts: number
  /** An operator wants it tried again, and it was not yet. */
  readonly isRetryAsked: boolean
}

export type ToPark = Pick<Parked, 'part' | 'recordId'> & {
  readonly from?: ParkedFrom
  readonly held?: ToHold
  readonly error: unknown
}

/** An event that is to wait: its ids, and whose it is. */
export type ToHold = Pick<PublicEvent, 'id' | 'type' | 'tenant' | 'recordId' | 'actor'>

/** So much of a shard cannot be read that something larger is wrong: its reader stands still. */
export class ParkingFull extends Error {
  override readonly name = 'ParkingFull'
  readonly retryable = false
}

/** What the followers of the log go on without. It is durable before they go on, and moves with the shard. */
export interface Parking {
  /** Whether a log entry of this actor changed what is parked. */
  isChangedBy(actor: string): boolean
  of(shard: number): Promise<readonly Parked[]>
  /** Resolves when it is durable; the same once more is harmless. Rejects with ParkingFull when there is too much. */
  park(shard: number, record: ToPark): Promise<void>
  /** Puts an event behind others that wait for the same record; false when the record is not parked. */
  hold(shard: number, recordId: string, event: PublicEvent): Promise<boolean>
  /** It was tried again and cannot be read. */
  keep(shard: number, id: string, error: unknown): Promise<void>
  /** It was read again and these held events were passed on; where others came meanwhile, it stays for them. */
  release(shard: number, id: string, passedOn: readonly HeldEvent[]): Promise<void>
}

/**
 * Whether a follower of the log waits for what failed, because it comes back by itself. A key that is not known does
 * not, and everybody else in the shard would wait with its record.
 */
export const isWaitedFor = (error: unknown): boolean => isRetryable(error) && !lacksKey(error)
