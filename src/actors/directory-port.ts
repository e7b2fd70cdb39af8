export type ListedKind =
  | 'connection'
  | 'credential'
  | 'proof'
  | 'schema'
  | 'credential-definition'
  | 'proof-template'
  | 'wallet'

/** How a record stands in the lists, computed by its owner with the commit that changed it. */
export type DirectoryRow = {
  readonly kind: ListedKind
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
  /** The record as the API answers it, JSON; personal fields are sealed inside. */
  readonly record: string
}

export type ListQuery = {
  readonly tenant: string
  readonly kind: ListedKind
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
