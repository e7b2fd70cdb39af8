// A caller of lists: how long a page takes, and from when on pages are right and at once again after a node was lost.
import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../harness/statistics.ts'

type Page = { readonly startedMs: number; readonly tookMs: number; readonly total: number | null }

const REQUEST_LIMIT_MS = 15_000
const LOOK_EVERY_MS = 100
/** Pages that follow each other, of which none is late or wrong, show that the lists are themselves again. */
const IN_A_ROW = 5

const service = { path: '', key: '' }

export function know(path: string, key: string): void {
  Object.assign(service, { path, key })
}

export async function page(url: string): Promise<Page> {
  const startedMs = Date.now()
  const beganMs = performance.now()
  const answer = await fetch(`${url}${service.path}`, {
    headers: { Authorization: `Bearer ${service.key}` },
    signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
  }).catch(() => null)
  const shown =
    answer === null ? null : ((await answer.json().catch(() => null)) as { total?: unknown } | null)
  const total = answer?.ok === true ? Number(shown?.total) : null
  return { startedMs, tookMs: performance.now() - beganMs, total }
}

export async function pages(url: string, times: number): Promise<{ p50Ms: number; p99Ms: number }> {
  const took: number[] = []
  for (let time = 0; time < times; time++) {
    const { tookMs, total } = await page(url)
    if (total === null) throw new Error(`${url} did not answer with a list`)
    took.push(tookMs)
    // As callers come: not in step with what the service does by itself.
    await pause(time % 7)
  }
  return { p50Ms: percentile(took, 50), p99Ms: percentile(took, 99) }
}

/** The time from which on every node has answered at once with all records. */
export async function recovered(
  urls: readonly string[],
  total: number,
  atOnceMs: number,
  limitMs: number,
): Promise<number> {
  const each = await Promise.all(urls.map((url) => recoveredAt(url, total, atOnceMs, limitMs)))
  return Math.max(...each)
}

const recoveredAt = async (
  url: string,
  total: number,
  atOnceMs: number,
  limitMs: number,
): Promise<number> => {
  const endMs = performance.now() + limitMs
  let row: Page[] = []
  let last = 'none'
  while (row.length < IN_A_ROW) {
    if (performance.now() > endMs) throw new Error(`the lists of ${url} do not come back: ${last}`)
    const seen = await page(url)
    last = `${seen.total} of ${total} records after ${Math.round(seen.tookMs)} of ${Math.round(atOnceMs)} ms`
    row = seen.total === total && seen.tookMs < atOnceMs ? [...row, seen] : []
    await pause(LOOK_EVERY_MS)
  }
  return (row[0]?.startedMs ?? 0) + (row[0]?.tookMs ?? 0)
}
