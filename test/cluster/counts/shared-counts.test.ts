import { describe, expect, it } from 'vitest'
import { isRefused } from '../../../src/domain/decider.ts'
import { countAtPlace } from '../../../src/actors/sign-in-lockout/commands.ts'
import { newSignInCounts } from '../../../src/actors/sign-in-lockout/attempt-counts.ts'
import { sharedCounts } from '../../../src/cluster/counts/shared-counts.ts'
import { limits } from '../../../src/domain/limits.ts'
import { LinkedNodes } from '../parts/linked-nodes.ts'

const NODES = ['n1', 'n2', 'n3']

const three = () => {
  const linked = new LinkedNodes()
  const map = { ownerOf: (shard: number) => NODES[shard % 3] ?? null }
  const nodes = NODES.map((node) => {
    const { places, emailAddresses } = newSignInCounts()
    const link = linked.of(node)
    const signInCounts = {
      places: sharedCounts({ node, link, map }, 'places', places),
      emailAddresses: sharedCounts({ node, link, map }, 'e-mail-addresses', emailAddresses),
    }
    return { runtime: { now: () => 1_000_000 } as never, signInCounts }
  })
  const attempt = async (index: number, address: string): Promise<boolean> => {
    const ports = nodes[index % 3]
    if (ports === undefined) throw new Error('no such node')
    return !isRefused(await countAtPlace(ports, address))
  }
  return { linked, attempt }
}

describe('attempts to sign in from one address', () => {
  it('are counted once, through whichever node they come', async () => {
    const { attempt } = three()
    let admitted = 0
    for (let each = 0; each < 60; each++) if (await attempt(each, '192.0.2.7')) admitted++
    // The one after the last free attempt begins the first lock.
    expect(admitted).toBeGreaterThanOrEqual(limits.signInAttemptsOfAddress)
    expect(admitted).toBeLessThanOrEqual(limits.signInAttemptsOfAddress + 1)
    expect(await attempt(0, '198.51.100.1')).toBe(true)
  })

  it('at the same time are not more than one after the other', async () => {
    const { attempt } = three()
    const all = await Promise.all(Array.from({ length: 60 }, (_, each) => attempt(each, '192.0.2.7')))
    expect(all.filter(Boolean).length).toBeLessThanOrEqual(limits.signInAttemptsOfAddress + 1)
  })

  it('are counted by each node for itself while the one that keeps the count is away', async () => {
    const { linked, attempt } = three()
    for (const from of NODES) for (const to of NODES) linked.cut(from, to)
    let admitted = 0
    for (let each = 0; each < 150; each++) if (await attempt(each, '192.0.2.7')) admitted++
    expect(admitted).toBeGreaterThan(limits.signInAttemptsOfAddress + 1)
    expect(admitted).toBeLessThanOrEqual(3 * (limits.signInAttemptsOfAddress + 1))
  })
})
