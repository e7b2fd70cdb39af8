/** How often what happened; hours are counted from 1970. */
export type OverviewQuery = {
  /** Null: of all organisations together. */
  readonly tenant: string | null
  readonly lists: readonly {
    readonly kind: string
    /** How the names of the states begin in which a record waits for something. */
    readonly waiting: readonly string[]
  }[]
  /** From this hour on, and before that one. */
  readonly fromHour: number
  readonly toHour: number
  /** So many hours are one number. */
  readonly hoursEach: number
}

export type OldestWaiting = {
  readonly id: string
  readonly tenant: string
  readonly state: string
  readonly createdAtMs: number
}

/** What the rows of one list say together. */
export type ListOverview = {
  readonly kind: string
  /** How many records are in each state now; none that has no record. */
  readonly now: Readonly<Record<string, number>>
  /** How many records came into each state, or failed for each reason, in each span of hours; none that is zero throughout. */
  readonly counts: Readonly<Record<string, readonly number[]>>
  /** The oldest record that waits. */
  readonly oldest: OldestWaiting | null
}

/** The records of an organisation that a sweep of retention would go through, if what finished before a time were over. */
export type DueQuery = { readonly tenant: string; readonly beforeMs: number }

export type DueRecords = {
  readonly kind: string
  readonly records: number
  /** When the first of them finished. */
  readonly firstFinishedMs: number
}

/** What lists say in numbers: current and complete as their pages are. */
export interface ListOverviews {
  overview(query: OverviewQuery): Promise<readonly ListOverview[]>
  due(query: DueQuery): Promise<readonly DueRecords[]>
}
