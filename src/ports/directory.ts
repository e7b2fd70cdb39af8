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
  /** Exact matches: connectionId, invitationId, proofTemplateId … */
  readonly filters: Readonly<Record<string, string | null>>
  readonly externalId: string | null
  /** What `q` is looked for in; cleared with the record's personal data. */
  readonly searchText: string
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
