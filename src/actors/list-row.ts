import type { DirectoryRow } from '../ports/directory.ts'

type Listable = Pick<DirectoryRow, 'tenant' | 'createdAtMs' | 'updatedAtMs'> & { readonly status: string }

/**
 * How a list finds a record. Each text that is searched is a line, so that no search finds the end of one beside the
 * start of the next.
 */
export const listRow = (
  { tenant, status, createdAtMs, updatedAtMs }: Listable,
  texts: readonly (string | null)[],
  more: Partial<Pick<DirectoryRow, 'filters' | 'externalId'>> = {},
): Omit<DirectoryRow, 'id' | 'kind'> => ({
  tenant,
  state: status,
  createdAtMs,
  updatedAtMs,
  filters: {},
  externalId: null,
  searchText: texts.filter((text) => text !== null).join('\n'),
  ...more,
})
