import type { Eraser } from '../domain/exchange.ts'
import type { DirectoryRow } from '../ports/directory.ts'

type Listable = {
  readonly tenant: string
  readonly status: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

type Found = Partial<Pick<DirectoryRow, 'filters' | 'externalId' | 'finishedAtMs' | 'steps'>> & {
  /** What `q` is looked for in. */
  readonly texts: readonly (string | null)[]
}

/** The row of a record of an organisation. Each text is a line, so that no search finds the end of one beside the start of the next. */
export const rowOfRecord = (
  { tenant, status, createdAtMs, updatedAtMs }: Listable,
  { texts, filters = {}, externalId = null, finishedAtMs = null, steps }: Found,
): Omit<DirectoryRow, 'id' | 'kind'> => ({
  tenant,
  state: status,
  createdAtMs,
  updatedAtMs,
  filters,
  externalId,
  finishedAtMs,
  searchText: texts.filter((text) => text !== null).join('\n'),
  ...(steps !== undefined && { steps }),
})

/** A handshake has an end as well: the connection is kept, and the time of what its webhooks said begins. */
const FINISHED: readonly string[] = ['done', 'declined', 'abandoned', 'completed', 'closed']

type Finishing = Pick<Listable, 'status' | 'updatedAtMs'> & { readonly erasedBy: Eraser | null }

/**
 * Since when an exchange, or a handshake, waits for the end of its time, negative where it is erased already and only what
 * its webhooks said is left; null while it runs, and once a sweep has erased it.
 */
export const finishedSince = ({ status, updatedAtMs, erasedBy }: Finishing): number | null => {
  if (!FINISHED.includes(status) || erasedBy === 'retention') return null
  return erasedBy === null ? updatedAtMs : -updatedAtMs
}
