// The directory with many records, in a process of its own: filled once, then asked while records are added.
import type { DirectoryRow, ListQuery } from '../../src/ports/directory.ts'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import { ThreadedDirectory } from '../../src/directory/threaded-directory.ts'
import { percentile } from '../harness/statistics.ts'

export const BIG_TENANT = 'ten_big'
const DAYS = 90
const DAY_MS = 86_400_000
const NEWEST_MS = Date.parse('2026-11-21T12:00:00Z')
const STATES = ['done', 'done', 'done', 'done', 'done', 'done', 'offer-sent', 'abandoned', 'request-received']
const NAMES = ['Müller', 'Öztürk', 'Łukasz', 'Anna', 'Robert', 'Ζωή', 'Иван', 'O’Neill', '50% Zoë', 'a_b']

/** Every record says "customer"; one in a thousand is overdue; one alone is the needle. */
export const rowOf = (tenant: string, number: number, records: number): DirectoryRow => {
  const createdAtMs = Math.round(NEWEST_MS - ((records - number) / records) * DAYS * DAY_MS)
  const state = number % 20_011 === 0 ? 'declined' : (STATES[number % STATES.length] ?? 'done')
  const mark = number === 4_711 ? 'needle' : number % 1_000 === 7 ? 'overdue' : ''
  const externalId = `customer-${number.toString(36)}${mark}`
  return {
    kind: 'connection',
    id: `con_${(Math.imul(number, 2_654_435_761) >>> 0).toString(16).padStart(8, '0')}${tenant}${number}`,
    tenant,
    createdAtMs,
    updatedAtMs: createdAtMs,
    state,
    filters: { invitationId: `inv_${number % 97}` },
    externalId,
    searchText: `${externalId}\n${NAMES[number % NAMES.length]} ${number % 10_007}`,
  }
}

/** Rows straight into the tables, as the projector would write them over weeks. */
export function fill(file: string, records: number, others: number): { readonly rowsPerS: number } {
  const directory = new SqliteDirectory(file)
  const started = performance.now()
  const write = (tenant: string, count: number): void => {
    for (let from = 0; from < count; from += 5_000) {
      const rows = Array.from({ length: Math.min(5_000, count - from) }, (_, index) =>
        rowOf(tenant, from + index, count),
      )
      directory.write(from % 256, rows, { no: from, index: 0 })
    }
  }
  for (let other = 0; other < 49; other++) write(`ten_${other}`, Math.ceil(others / 49))
  write(BIG_TENANT, records)
  directory[Symbol.dispose]()
  return { rowsPerS: (records + others) / ((performance.now() - started) / 1_000) }
}

type Measured = { readonly p50Ms: number; readonly p99Ms: number; readonly total: number }
type Open = {
  readonly directory: ThreadedDirectory
  readonly writing: Set<Promise<unknown>>
  adding: NodeJS.Timeout
  added: number
}
let open: Open | null = null

/** Opens the directory and adds records to the big tenant from now on, one write for each shard that has some. */
export async function start(file: string, addedPerS: number): Promise<void> {
  const directory = new ThreadedDirectory(file)
  const writing = new Set<Promise<unknown>>()
  const state = { directory, writing, adding: setTimeout(() => undefined, 0), added: 0 }
  const startedMs = performance.now()
  state.adding = setInterval(() => {
    const due = Math.floor(((performance.now() - startedMs) / 1_000) * addedPerS)
    while (state.added < due) {
      const number = state.added++
      const createdAtMs = NEWEST_MS + Math.floor(performance.now() - startedMs)
      const row = { ...rowOf(BIG_TENANT, number, 1_000), id: `con_new${number}`, createdAtMs }
      const written = directory.write(number % 256, [row], { no: number, index: 0 })
      writing.add(written)
      void written.finally(() => writing.delete(written))
    }
  }, 5)
  open = state
  await directory.positionOf(0)
}

export async function measure(query: ListQuery, times: number): Promise<Measured> {
  if (open === null) throw new Error('the directory is not open')
  const took: number[] = []
  let total = 0
  for (let time = 0; time < times; time++) {
    const startedMs = performance.now()
    const page = await open.directory.list(query)
    took.push(performance.now() - startedMs)
    total = page.total
    // As requests come: not in step with the writes.
    await new Promise((resolve) => setTimeout(resolve, time % 7))
  }
  return { p50Ms: percentile(took, 50), p99Ms: percentile(took, 99), total }
}

export async function stop(): Promise<{ readonly added: number }> {
  if (open === null) return { added: 0 }
  clearInterval(open.adding)
  await Promise.all(open.writing)
  await open.directory[Symbol.asyncDispose]()
  return { added: open.added }
}
