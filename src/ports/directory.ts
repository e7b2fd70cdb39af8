/**
 * What lists find a record by. The record itself is asked of its owner when a page is shown, so that no second copy
 * of personal data has to be erased.
 */
export type DirectoryRow = {
  readonly kind: string
  readonly id: string
  readonly tenant: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly state: string
  /** Exact matches: connectionId, invitationId, proofTemplateId …; of several the record is found by each. */
  readonly filters: Readonly<Record<string, string | readonly string[] | null>>
  readonly externalId: string | null
  /** What `q` is looked for in; cleared with the record's personal data. */
  readonly searchText: string
  /**
   * The record is listed no longer: the row goes, if there is one. `tenant` is empty where nothing says any more whose it
   * was.
   */
  readonly isGone?: true
  /** The row is to go when the time of its record is over: it stands apart from those that stay. */
  readonly isPassing?: true
  /** Of an organisation that is deleted: with this row all its lists go but these. */
  readonly endsAllBut?: readonly string[]
  /**
   * Of an exchange, and of a connection whose webhooks alone go: since when it waits for the end of its time; negative
   * where its personal data is gone already. Left out by all that has no such time.
   */
  readonly finishedAtMs?: number | null
  /**
   * When it came into each state that it has had, and words that say why it failed, for counting; in an order that holds.
   * Left out by kinds that are not counted, and by rows of which it is not known.
   */
  readonly steps?: readonly (readonly [name: string, atMs: number])[]
}

export type ListQuery = {
  readonly tenant: string
  readonly kind: string
  readonly page: number
  readonly pageSize: number
  readonly q: string | null
  readonly states: readonly string[]
  readonly externalId: string | null
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly filters: Readonly<Record<string, string>>
}

export interface Directory {
  /** Newest first; `total` is exact. Rows are a consistent cut. */
  list(query: ListQuery): Promise<{ readonly rows: readonly DirectoryRow[]; readonly total: number }>
}

/** A record of an organisation as a list has it. */
export type ListedRecord = { readonly id: string; readonly place: number; readonly row: number }

/** The records of an organisation that is deleted, as lists know them. What is gone loses its row, so the rest is what there is. */
export interface RecordsOfTenant {
  listsOf(tenant: string): Promise<readonly string[]>
  /** One page of a list, in an order that holds; of the list of operators, the records that name the organisation. */
  recordsOf(query: {
    readonly tenant: string
    readonly kind: string
    readonly isOfOperators: boolean
    readonly after: ListedRecord | null
    readonly limit: number
  }): Promise<readonly ListedRecord[]>
  /** Which of the ids the list has. */
  listed(query: {
    readonly tenant: string
    readonly kind: string
    readonly ids: readonly string[]
  }): Promise<readonly string[]>
  /** Takes the rows out of their lists, their memory and their file. */
  unlist(rows: readonly number[]): Promise<void>
}

/** Where a sweep goes on: records of one time stand in the order of their rows. */
export type FinishedRecord = { readonly id: string; readonly finishedAtMs: number; readonly row: number }

/** The finished exchanges and handshakes that no sweep has been through, as lists know them: a lost list finds them again. */
export interface FinishedRecords {
  /** The organisations that have any on the shard. */
  tenantsWithFinished(shard: number): Promise<readonly string[]>
  /** One page of those that finished before a time; with `erasedOnly` of those whose personal data is gone. */
  finishedBefore(query: {
    readonly shard: number
    readonly tenant: string
    readonly beforeMs: number
    readonly erasedOnly: boolean
    readonly after: FinishedRecord | null
    readonly limit: number
  }): Promise<readonly FinishedRecord[]>
  /** Nothing is left to do for these. */
  swept(rows: readonly number[]): Promise<void>
}
