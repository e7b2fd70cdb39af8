import { describe, expect, it } from 'vitest'
import { SeenLeases } from '../../src/cluster/seen-leases.ts'
import type { NodeLease } from '../../src/ports/lease.ts'

const row = (node: string, state: NodeLease['state']): NodeLease => ({
  node,
  address: '',
  linkAddress: '',
  incarnation: `${node}-1`,
  counter: 1,
  state,
})

describe('the leases that a node has seen', () => {
  it('do not go back where an earlier look ends after a later one', async () => {
    const answers: PromiseWithResolvers<readonly NodeLease[]>[] = []
    const seen = new SeenLeases({
      node: 'node-1',
      read: () => {
        const answer = Promise.withResolvers<readonly NodeLease[]>()
        answers.push(answer)
        return answer.promise
      },
      monotonicMs: () => 0,
      deadMs: 10_000,
      gapMaxMs: 5_000,
    })
    const earlier = seen.look()
    const later = seen.look()
    answers[1]?.resolve([row('node-1', 'alive'), row('node-2', 'dead')])
    await later
    answers[0]?.resolve([row('node-1', 'alive'), row('node-2', 'alive')])
    await earlier
    expect(seen.alive.map(({ node }) => node)).toEqual(['node-1'])
  })
})
