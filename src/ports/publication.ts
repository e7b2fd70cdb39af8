/**
 * A change that leaves the service: made from one journal event by its kind's `publish`. The id follows from the
 * event's place in its actor, so the same event published twice is one.
 */
export type PublicEvent = {
  readonly id: string
  readonly type: string
  readonly tenant: string
  readonly createdAtMs: number
  readonly recordType: string
  readonly recordId: string
  /** The actor whose journal has the event, where that is not the record itself. */
  readonly actor?: string
  /** What the webhook's `data` says, without personal fields. */
  readonly data: Readonly<Record<string, unknown>>
  /** Personal fields of `data`, sealed with the record's key; opened only where the body is made for the tenant. */
  readonly sealed: string | null
}

/** The public event that a stored journal event tells, or null when it tells the outside nothing. */
export type Publish = (actor: string, stored: string) => PublicEvent | null
