import { describe, expect, it } from 'vitest'
import type { NodeLease } from '../../src/ports/lease.ts'
import { RivalWatch } from '../../src/cluster/rival-watch.ts'

const row = (counter: number, change: Partial<NodeLease> = {}): NodeLease => ({
  node: 'n1',
  incarnation: 'a',
  counter,
  address: '',
  linkAddress: '',
  state: 'alive',
  ...change,
})

/** Observes the rows every two seconds from 0 on; the times at which the node was found dead. */
const deaths = (rows: readonly (NodeLease | null)[]): readonly number[] => {
  const watch = new RivalWatch(10_000, 5_000)
  return rows.flatMap((each, index) => {
    if (each === null) return []
    return watch.observe([each], index * 2_000).length > 0 ? [index * 2_000] : []
  })
}

describe('a rival', () => {
  it('is dead when its counter stood still for the whole dead time', () => {
    expect(deaths([row(4), row(5), row(5), row(5), row(5), row(5), row(5)])).toEqual([12_000])
  })

  it('lives with every renewal and every new start', () => {
    expect(deaths([1, 1, 1, 1, 1, 2, 2, 2].map((counter) => row(counter)))).toEqual([])
    const restarted = row(1, { incarnation: 'b' })
    expect(deaths([row(1), row(1), row(1), row(1), row(1), restarted, restarted])).toEqual([])
  })

  it('gets its whole time again after the store was away, because then nobody could renew', () => {
    const seen = row(1)
    expect(deaths([seen, seen, seen, null, null, null, seen, seen, seen, seen, seen, seen])).toEqual([22_000])
  })

  it('that is dead or has left is not found again', () => {
    const left = row(1, { state: 'left' })
    expect(deaths([left, left, left, left, left, left, left])).toEqual([])
  })
})
