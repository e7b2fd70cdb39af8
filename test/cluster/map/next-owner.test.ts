import { expect, it } from 'vitest'
import { askNextOwners } from '../../../src/cluster/map/next-owner.ts'
import type { KeptShardMap } from '../../../src/ports/shard-map.ts'
import { LinkedNodes } from '../parts/linked-nodes.ts'
import { mapAmong, withMembers } from '../planner/parts.ts'

const begin = () => {
  const linked = new LinkedNodes()
  const wanted = mapAmong(['a', 'b'], 4)
  const lease = { isValid: true }
  const held = { handOffMs: 0, mapMs: 0 }
  const maps: Record<string, KeptShardMap> = { a: wanted, b: { ...wanted, version: 3, places: [] } }
  const versions: (number | undefined)[] = []
  const node = (name: string) =>
    askNextOwners({
      node: name,
      link: linked.of(name),
      map: {
        current: () => maps[name] ?? wanted,
        refreshed: async (version) => {
          versions.push(version)
          return wanted
        },
      },
      membership: {
        session: () => ({ owner: name, ended: new AbortController().signal, valid: () => lease.isValid }),
      },
      heldUp: () => held,
    })
  const isAwaited = node('a')
  node('b')
  return { linked, lease, held, maps, versions, isAwaited }
}

it('a node says that it waits for a shard when it has read the map in which it is to have it', async () => {
  const { isAwaited, versions } = begin()
  expect(await isAwaited(1, 'b')).toBe(true)
  expect(versions).toEqual([7])
  expect(await isAwaited(0, 'b')).toBe(false)
})

it('a node without a lease, or that stops, waits for nothing', async () => {
  const { isAwaited, lease, maps } = begin()
  lease.isValid = false
  expect(await isAwaited(1, 'b')).toBe(false)
  lease.isValid = true
  Object.assign(maps['a'] ?? {}, withMembers(mapAmong(['a', 'b'], 4), { a: 'taking', b: 'leaving' }))
  expect(await isAwaited(1, 'b')).toBe(false)
})

it('a node that does not answer is taken for one that does not wait', async () => {
  const { isAwaited, linked } = begin()
  linked.cut('b', 'a')
  expect(await isAwaited(1, 'b')).toBe(false)
  expect(await isAwaited(1, 'nobody')).toBe(false)
})

it('a node that does nothing of what the map wants says that it waits for nothing', async () => {
  const { isAwaited, held } = begin()
  Object.assign(held, { handOffMs: 10_000, mapMs: 10_000 })
  expect(await isAwaited(1, 'b')).toBe(true)
  for (const which of ['handOffMs', 'mapMs'] as const) {
    Object.assign(held, { handOffMs: 0, mapMs: 0, [which]: 30_000 })
    expect(await isAwaited(1, 'b')).toBe(false)
  }
})
