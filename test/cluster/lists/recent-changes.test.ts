import { describe, expect, it } from 'vitest'
import { RecentChanges } from '../../../src/cluster/lists/recent-changes.ts'
import type { DirectoryRow } from '../../../src/ports/directory.ts'

const row = { tenant: 'ten_a', id: 'cre_1' } as unknown as DirectoryRow

describe('what others may lack', () => {
  it('is remembered for one that follows and whose lease was not seen yet, and not for ever for one that has gone', () => {
    const recent = new RecentChanges(100)
    recent.acknowledge('node-2', [4])
    recent.acknowledge('node-3', [4])
    recent.note(0, 5, [row])
    recent.acknowledge('node-3', [5])
    recent.prune(['node-3'])
    expect(recent.neededBy('node-2', 'ten_a')).toEqual([{ shard: 0, rev: 5 }])
    expect(recent.neededBy('node-3', 'ten_a')).toEqual([])
    for (let look = 0; look < 100; look++) recent.prune(['node-3'])
    expect(recent.neededBy('node-2', 'ten_a')).toEqual([])
  })
})
