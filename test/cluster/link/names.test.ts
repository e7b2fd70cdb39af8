import { describe, expect, it } from 'vitest'
import type { Peer } from '../../../src/cluster/link/wire.ts'
import { ask, connected, linesOf, stateOf, TestCluster } from './parts/nodes.ts'

describe('the name of a node on a link', () => {
  it('is refused to a process that does not have its lease, and the one that has it is not disturbed', async () => {
    const cluster = new TestCluster()
    const isNow = async (node: string, incarnation: string) => node !== 'b' || incarnation === 'the first'
    const c = await cluster.start('c', { isNow })
    const b = await cluster.start('b', { incarnation: () => 'the first' })
    await connected(b, c)
    const twin = await cluster.start('b', {
      incarnation: () => 'the second',
      peers: () => [{ node: 'c', address: c.address }],
    })
    await expect.poll(() => stateOf(twin, 'c')).toBe('refused')
    expect(linesOf(c, 'link.refused')).toMatchObject([{ node: 'b', code: 'lease' }])
    expect(await ask(c, 'b', 'the first one')).toBe('the first one')
    expect(c.link.counts()).toMatchObject({ connected: 1, lost: 0 })
  })

  it('is not taken from one that is dialed and has no lease either', async () => {
    const cluster = new TestCluster()
    const isNow = async (_: string, incarnation: string) => incarnation === 'another'
    const b = await cluster.start('b')
    const a = await cluster.start('a', { isNow, peers: () => [{ node: 'b', address: b.address }] })
    await expect.poll(() => stateOf(a, 'b')).toBe('refused')
    expect(linesOf(a, 'link.refused')).toMatchObject([{ node: 'b', code: 'lease' }])
    expect(a.link.counts().connected).toBe(0)
  })

  it("is nobody's where the store does not say whose it is", async () => {
    const cluster = new TestCluster()
    const away = () => Promise.reject(new Error('the store is away'))
    const b = await cluster.start('b', { isNow: away })
    const a = await cluster.start('a', { peers: () => [{ node: 'b', address: b.address }] })
    await expect.poll(() => stateOf(a, 'b')).toBe('refused')
  })

  it('is needed to dial and to accept', async () => {
    const cluster = new TestCluster()
    const leases = new Map<string, string>()
    const of = (node: string) => ({ incarnation: () => leases.get(node) ?? null })
    const [a, b] = [await cluster.start('a', of('a')), await cluster.start('b', of('b'))]
    await expect.poll(() => a.link.counts().dialsFailed).toBeGreaterThan(2)
    expect(linesOf(b, 'link.refused')).toEqual([])
    leases.set('a', 'a1')
    await expect.poll(() => stateOf(a, 'b')).toBe('refused')
    leases.set('b', 'b1')
    await connected(a, b)
  })

  it('has its connections made anew under each lease', async () => {
    const cluster = new TestCluster()
    let lease: string | null = 'one'
    const [a, b] = [await cluster.start('a', { incarnation: () => lease }), await cluster.start('b')]
    await connected(a, b)
    lease = 'two'
    await expect.poll(() => b.link.counts().connected).toBe(2)
    await connected(a, b)
    expect(b.link.counts().lost).toBe(0)
    expect(await ask(b, 'a', 'anew')).toBe('anew')
  })

  it("costs a process its connection when the lease is known to be another one's", async () => {
    const cluster = new TestCluster()
    const settings = { otherProcessMs: 100 }
    const peers: Peer[] = []
    const b = await cluster.start('b', { settings, peers: () => peers })
    const a = await cluster.start('a', { incarnation: () => 'mine' })
    peers.push({ node: 'a', address: a.address, incarnation: 'mine' })
    await connected(a, b)
    const before = b.link.counts().connected
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(b.link.counts().connected).toBe(before)
    peers.splice(0, 1, { node: 'a', address: a.address, incarnation: 'another' })
    await expect.poll(() => linesOf(b, 'link.lost')).toMatchObject([{ node: 'a', code: 'replaced' }])
  })
})
