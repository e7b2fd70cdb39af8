import { describe, expect, it } from 'vitest'
import { isDraining } from '../../src/cluster/draining.ts'
import { embeddedMembership } from '../../src/cluster/shards.ts'
import type { MapMember } from '../../src/ports/shard-map.ts'

const leases = (...nodes: string[]) => ({
  alive: () => nodes.flatMap((node) => embeddedMembership({ node, address: '' }, 'i').alive()),
})
const members = (own: MapMember['state'], other: MapMember['state'] = 'taking') => ({
  members: [
    { node: 'a', state: own },
    { node: 'b', state: other },
  ],
})

describe('a node', () => {
  it('drains while it is to be empty or stops, and another takes its shards', () => {
    const both = leases('a', 'b')
    expect(isDraining('a', members('taking'), both)).toBe(false)
    expect(isDraining('a', members('drained'), both)).toBe(true)
    expect(isDraining('a', members('leaving'), both)).toBe(true)
    expect(isDraining('c', members('drained'), both)).toBe(false)
  })

  it('does not where no other lives that takes any: it serves what there is', () => {
    expect(isDraining('a', members('drained'), leases('a'))).toBe(false)
    expect(isDraining('a', members('drained', 'drained'), leases('a', 'b'))).toBe(false)
  })
})
