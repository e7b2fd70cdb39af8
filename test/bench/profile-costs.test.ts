import { describe, expect, it } from 'vitest'
import { costsOf, type Profile } from '../../bench/subjects/profile-costs.ts'

const frame = (functionName: string, url = '') => ({ functionName, url })
const profile: Profile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 6, 7, 9] },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('append', 'file:///x/src/persistence/sqlite/journal.ts'), children: [4] },
    { id: 4, callFrame: frame('send', 'file:///x/node_modules/piscina/dist/src/a.js'), children: [5] },
    { id: 5, callFrame: frame('postMessage') },
    { id: 6, callFrame: frame('(garbage collector)') },
    { id: 7, callFrame: frame('startProfile', 'file:///x/bench/subjects/service.ts'), children: [8] },
    { id: 8, callFrame: frame('post', 'node:inspector') },
    { id: 9, callFrame: frame('writev') },
  ],
  samples: [2, 5, 3, 6, 8, 9],
  timeDeltas: [9_000, 4_000, 2_000, 1_000, 8_000, 500],
}

describe('the costs in a profile of the main thread', () => {
  it('belong to the nearest part of the product, without sleep and without the profiler', () => {
    expect(costsOf(profile, 2)).toEqual([
      { part: 'src/persistence/sqlite', ms: 3, most: 'append in journal.ts' },
      { part: 'collecting garbage', ms: 0.5, most: '' },
      { part: 'Node itself', ms: 0.25, most: 'writev' },
    ])
  })
})
