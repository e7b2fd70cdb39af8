import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { joinCluster } from '../../src/compose/join-cluster.ts'
import { endedLease, type LeaseStore, type NodeLease } from '../../src/ports/lease.ts'
import { contextOn } from '../compose/service-context.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const [RIGHT, WRONG] = [
  'the secret of this cluster, which is long enough',
  'quite another secret, as long as it',
]

/** The rows of the nodes with the compare-and-set of Cassandra. */
const leasesInMemory = (): LeaseStore & { readonly rows: Map<string, NodeLease> } => {
  const rows = new Map<string, NodeLease>()
  const replace = async (expected: NodeLease | null, next: NodeLease): Promise<boolean> => {
    const row = rows.get(next.node) ?? null
    const isExpected =
      row?.incarnation === expected?.incarnation &&
      row?.counter === expected?.counter &&
      row?.state === expected?.state
    if (isExpected) rows.set(next.node, next)
    return isExpected
  }
  return {
    rows,
    list: async () => [...rows.values()],
    join: (lease, replacing) => replace(replacing, lease),
    renew: (lease) => replace(lease, { ...lease, counter: lease.counter + 1 }),
    declareDead: (lease) => replace(lease, { ...lease, state: 'dead' }),
    end: (lease) => replace(lease, endedLease(lease)),
    leave: async (lease) => void (await replace(lease, { ...lease, state: 'left' })),
  }
}

const cluster = () => {
  const leases = leasesInMemory()
  const stores = {
    leases,
    map: { read: async () => null, replace: async () => false },
    loads: { tell: async () => undefined, read: async () => [] },
  }
  const start = async (node: string, secret: string) => {
    const folder = temporaryFolder('joined-nodes')
    const secretFile = join(folder, 'secret')
    const say = (text: string): void => writeFileSync(secretFile, text, { mode: 0o600 })
    say(secret)
    const context = contextOn(folder, {
      VOUCHSAFE_NODE_NAME: node,
      VOUCHSAFE_CLUSTER_SECRET_FILE: secretFile,
      VOUCHSAFE_LINK_PORT: '0',
    })
    const stop = () => context.lifecycle.end(() => undefined)
    onTestFinished(stop)
    const joined = await joinCluster(context, stores)
    joined.link.handle('echo', async (body) => body)
    await joined.begin()
    return { ...joined, say, stop }
  }
  const states = (): string =>
    Array.from(leases.rows.values(), ({ node, state }) => `${node} ${state}`)
      .toSorted()
      .join(', ')
  return { start, states, leases }
}

describe('nodes on real sockets around one store', () => {
  it('take part when they reach each other; one with another secret waits until it has the right one', async () => {
    const { start, states } = cluster()
    const bad = start('n0', WRONG)
    const [one, two] = await Promise.all([start('n1', RIGHT), start('n2', RIGHT)])
    await expect.poll(() => one.mayServe() && two.mayServe()).toBe(true)
    const apart = await bad
    // The first by name, and for a moment the first of all.
    await expect.poll(states).toBe('n0 coming, n1 alive, n2 alive')
    expect(apart.mayServe()).toBe(false)
    expect(one.link.peers().map(({ node, state }) => [node, state])).toContainEqual(['n2', 'connected'])
    expect(await one.readLivingNodes()).toEqual(['n2'])
    apart.say(RIGHT)
    await expect.poll(states).toBe('n0 alive, n1 alive, n2 alive')
    expect(apart.mayServe()).toBe(true)
    const answer = await two.link.request('n0', 'echo', Buffer.from('x'), { timeoutMs: 5_000 })
    expect(Buffer.from(answer).toString()).toBe('x')
    expect(apart.strangers().now).toBeGreaterThanOrEqual(0)
  })

  it('know one process by a name: a second one gets neither lease nor link', async () => {
    const { start, states, leases } = cluster()
    const [one, two] = await Promise.all([start('n1', RIGHT), start('n2', RIGHT)])
    await expect.poll(() => one.mayServe() && two.mayServe()).toBe(true)
    const { incarnation } = leases.rows.get('n1') ?? {}
    const twin = await start('n1', RIGHT)
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    expect(twin.mayServe()).toBe(false)
    expect(twin.link.peers()).toEqual([])
    expect(states()).toBe('n1 alive, n2 alive')
    expect(leases.rows.get('n1')?.incarnation).toBe(incarnation)
    const answer = await two.link.request('n1', 'echo', Buffer.from('x'), { timeoutMs: 5_000 })
    expect(Buffer.from(answer).toString()).toBe('x')
  })

  it('stop without waiting for each other, and leave no row that stands', async () => {
    const { start, states } = cluster()
    const [one, two] = await Promise.all([start('n1', RIGHT), start('n2', RIGHT)])
    await expect.poll(() => one.mayServe() && two.mayServe()).toBe(true)
    await Promise.all([one.stop(), two.stop()])
    expect(states()).toBe('n1 left, n2 left')
  })
})
