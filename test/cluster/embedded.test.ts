import { describe, expect, it } from 'vitest'
import { embeddedMembership } from '../../src/cluster/shards.ts'

describe('a process that has its engine to itself', () => {
  it('is the only node, may always answer, and knows that whoever wrote before is gone', async () => {
    const membership = embeddedMembership({ node: 'here', address: 'here:1' }, 'second')
    expect(membership.session()?.valid()).toBe(true)
    expect(membership.alive()).toMatchObject([{ node: 'here', incarnation: 'second', state: 'alive' }])
    expect(await membership.isGone('here~first')).toBe(true)
    expect(await membership.isGone('here~second')).toBe(false)
  })
})
