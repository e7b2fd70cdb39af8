import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ListQuery } from '../src/ports/directory.ts'
import { defineBenchmark } from './harness/benchmark.ts'
import { startProcess } from '../tools/harness/module-process.ts'

type Subject = typeof import('./subjects/directory.ts')

const plain: ListQuery = {
  tenant: 'ten_big',
  kind: 'connection',
  page: 1,
  pageSize: 25,
  q: null,
  states: [],
  externalId: null,
  fromMs: null,
  toMs: null,
  filters: {},
}

const queriesFor = (records: number): Readonly<Record<string, Partial<ListQuery>>> => ({
  first_page: {},
  state_filter: { states: ['offer-sent'] },
  rare_state: { states: ['declined'] },
  two_states: { states: ['offer-sent', 'abandoned'] },
  date_range: {
    fromMs: Date.parse('2026-10-01T10:30:00+02:00'),
    toMs: Date.parse('2026-11-01T23:59:59Z'),
  },
  date_range_and_state: { fromMs: Date.parse('2026-10-01T10:30:00Z'), states: ['done'] },
  deep_page: { page: Math.min(20_000, Math.ceil(records / 50)) },
  last_page: { page: Math.ceil(records / 100), pageSize: 100 },
  exact_filter: { filters: { invitationId: 'inv_42' } },
  q_one_of_all: { q: 'NEEDLE' },
  q_rare: { q: 'overdue' },
  q_common: { q: 'customer' },
  q_common_deep: { q: 'customer', page: Math.min(20_000, Math.ceil(records / 50)) },
  q_1_character: { q: 'e' },
  q_2_characters: { q: 'cu' },
  q_2_rare_characters: { q: 'zz' },
  q_percent: { q: '%' },
  q_underscore: { q: '_' },
  q_other_case: { q: 'ÖZTÜRK' },
  q_other_script: { q: 'ИВАН' },
  q_nothing: { q: 'no such text' },
  q_and_state: { q: 'Ö', states: ['offer-sent'] },
  external_id: { externalId: 'CUSTOMER-A1' },
})

const FAST = ['first_page', 'state_filter']

export const benchmark = defineBenchmark({
  about: 'Lists of an organisation with a million records, while more are added',
  options: {
    records: { type: 'number', default: 1_000_000, quick: 100_000, about: 'records of the big organisation' },
    others: { type: 'number', default: 490_000, quick: 49_000, about: 'records of 49 others' },
    added: { type: 'number', default: 1_000, about: 'records added in a second meanwhile' },
    times: { type: 'number', default: 41, quick: 11, about: 'how often each list is made' },
    file: { type: 'string', default: '', about: 'keep the filled file here and use it again' },
  },
  bars: {
    first_page_ms: { atMost: 5 },
    state_filter_ms: { atMost: 5 },
    worst_other_ms: { atMost: 120 },
  },
  async run({ options, open, progress, table, note }) {
    const subject = await open(startProcess<Subject>(new URL('./subjects/directory.ts', import.meta.url)))
    const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-bench-'))
    try {
      const file = options.file === '' ? join(folder, 'directory.sqlite') : options.file
      if (!existsSync(file)) {
        progress(`writing ${options.records + options.others} records`)
        const { value } = await subject.call('fill', file, options.records, options.others)
        note(`Filled at ${Math.round(value.rowsPerS)} rows per second.`)
      }
      await subject.call('start', file, options.added)
      const startedMs = performance.now()
      const queries = Object.entries(queriesFor(options.records))
      const cold = await subject.call('measure', { ...plain, q: 'needle' }, 1)
      const rows: { list: string; total: number; p50_ms: number; p99_ms: number }[] = []
      for (const [list, query] of queries) {
        progress(list)
        const { value } = await subject.call('measure', { ...plain, ...query }, options.times)
        rows.push({ list, total: value.total, p50_ms: value.p50Ms, p99_ms: value.p99Ms })
      }
      const seconds = (performance.now() - startedMs) / 1_000
      const usage = await subject.usage()
      const { value: stopped } = await subject.call('stop')
      table('Lists, in ms from the call to the answer, the way to the thread and back included', rows)
      note('Only the directory: what a page shows is then asked of the records themselves.')
      const p50 = (name: string): number => rows.find(({ list }) => list === name)?.p50_ms ?? Number.NaN
      return {
        first_page_ms: p50('first_page'),
        state_filter_ms: p50('state_filter'),
        worst_other_ms: Math.max(
          ...rows.filter(({ list }) => !FAST.includes(list)).map(({ p50_ms }) => p50_ms),
        ),
        deep_page_ms: p50('deep_page'),
        date_range_ms: p50('date_range'),
        q_rare_ms: p50('q_rare'),
        q_common_ms: p50('q_common'),
        q_1_character_ms: p50('q_1_character'),
        first_search_ms: cold.value.p50Ms,
        added_per_s: stopped.added / seconds,
        memory_mb: usage.rssBytes / 1_048_576,
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
})
