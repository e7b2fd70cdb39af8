import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '../tools/harness/module-process.ts'
import { defineBenchmark } from './harness/benchmark.ts'
import { measureLists } from './subjects/list-replicas.ts'

type Subject = typeof import('./subjects/list-replicas.ts')

export const benchmark = defineBenchmark({
  about:
    'Lists of a cluster: what a copy of all rows costs on each node, beside asking all nodes and merging',
  options: {
    records: { type: 'number', default: 1_000_000, quick: 60_000, about: 'records of one organisation' },
    changes: { type: 'number', default: 20_000, quick: 2_000, about: 'rows that change then' },
    together: { type: 'number', default: 32, about: 'changes that come to another node at once' },
  },
  bars: {
    first_page_ms: { atMost: 20 },
    cluster_first_page_p50_ms: { atMost: 20 },
    cluster_first_page_p99_ms: { atMost: 20 },
    list_recovery_s: { atMost: 15 },
  },
  async run({ options, open, progress, table, note }) {
    const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-bench-'))
    const { records, changes, together } = options
    const start = () => open(startProcess<Subject>(new URL('./subjects/list-replicas.ts', import.meta.url)))
    try {
      progress('every node has all rows')
      const one = await start()
      const first = (await one.call('fillOwners', folder, records)).value
      const filled = (await one.call('fillCopy', folder, records)).value
      const changed = (await one.call('measureChanges', folder, records, changes, together)).value
      const copies = { ...first, ...filled, ...changed }
      progress('each node has its own, and all are asked')
      const other = await start()
      const recoveryCpuS = (await other.call('fillParts', folder, records)).value / 1_000
      const merged = (await other.call('measureMerge', folder, records)).value
      const cluster = await measureLists({ records, progress })
      table('Every node has all rows', [copies])
      table('Three nodes have a third each, and are asked by the node that makes a list', [merged])
      table('Three nodes in processes of their own, while records are added; then one is killed', [cluster])
      note(
        'The first two tables: files alone, in one thread; the way between nodes comes to it, for copies only where something has changed.',
      )
      return {
        ...copies,
        merge_first_page_ms: merged.first_page_ms,
        merge_deep_page_ms: merged.deep_page_ms,
        merge_deep_page_cpu_ms: merged.deep_page_cpu_ms,
        merge_recovery_cpu_s: recoveryCpuS,
        cluster_first_page_p50_ms: cluster.firstPageP50Ms,
        cluster_first_page_p99_ms: cluster.firstPageMs,
        list_recovery_s: cluster.recoveryS,
        list_recovery_after_lease_s: cluster.recoveryAfterLeaseS,
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
})
