import { describe, expect, it } from 'vitest'
import { isRefused } from '../../../src/domain/decider.ts'
import { countAtPlace } from '../../../src/actors/sign-in-lockout/commands.ts'
import { newSignInCounts } from '../../../src/actors/sign-in-lockout/attempt-counts.ts'
import { sharedCounts } from '../../../src/cluster/counts/shared-counts.ts'
import { limits } from '../../../src/domain/limits.ts'
import type { Runtime } from '../../../src/ports/runtime.ts'
import { LinkedNodes } from '../parts/linked-nodes.ts'

const NODES = ['n1', 'n2', 'n3']

/** The second node's clock is ten minutes ahead of the first one's, the third one's as much behind it. */
const CLOCKS_MS = [1_000_000, 1_600_000, 400_000]

const three = () => {
  const linked = new LinkedNodes()
  let passedMs = 0
  const map = { ownerOf: (shard: number) => NODES[shard % 3] ?? null }
  const nodes = NODES.map((node, index) => {
    const runtime = { now: () => (CLOCKS_MS[index] ?? 0) + passedMs } as Runtime
    const { places, emailAddresses } = newSignInCounts()
    const link = linked.of(node)
    const signInCounts = {
      places: sharedCounts({ node, link, map, runtime }, 'places', places),
      emailAddresses: sharedCounts({ node, link, map, runtime }, 'e-mail-addresses', emailAddresses),
    }
    return { runtime, signInCounts }
  })
  const attempt = async (index: number, address: string): Promise<boolean> => {
    const ports = nodes[index % 3]
    if (ports === undefined) throw new Error('no such node')
    return !isRefused(await countAtPlace(ports, address))
  }
  const pass = (ms: number): void => {
    passedMs += ms
  }
  return { linked, attempt, pass }
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

  it('are locked by the clock of the node that counts them, whatever those of the others say', async () => {
    const { attempt, pass } = three()
    for (const address of ['192.0.2.7', '192.0.2.8', '192.0.2.9']) {
      for (let each = 0; each < 60; each++) await attempt(each, address)
      for (const index of [0, 1, 2]) expect(await attempt(index, address)).toBe(false)
    }
    pass(limits.signInPauseFirstSeconds * 1_000 + 1)
    expect(await attempt(2, '192.0.2.7')).toBe(true)
    expect(await attempt(1, '192.0.2.8')).toBe(true)
    expect(await attempt(0, '192.0.2.9')).toBe(true)
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
