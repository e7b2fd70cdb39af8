import type { DirectoryRow } from '../ports/directory.ts'

type Listable = {
  readonly tenant: string
  readonly status: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

type Found = Partial<Pick<DirectoryRow, 'filters' | 'externalId'>> & {
  /** What `q` is looked for in. */
  readonly texts: readonly (string | null)[]
}

/** The row of a record of an organisation. Each text is a line, so that no search finds the end of one beside the start of the next. */
export const rowOfRecord = (
  { tenant, status, createdAtMs, updatedAtMs }: Listable,
  { texts, filters = {}, externalId = null }: Found,
): Omit<DirectoryRow, 'id' | 'kind'> => ({
  tenant,
  state: status,
  createdAtMs,
  updatedAtMs,
  filters,
  externalId,
  searchText: texts.filter((text) => text !== null).join('\n'),
})
