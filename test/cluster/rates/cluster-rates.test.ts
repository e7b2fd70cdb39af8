import { afterEach, describe, expect, it } from 'vitest'
import { ClusterRates } from '../../../src/cluster/rates/cluster-rates.ts'
import { rateDefaults } from '../../../src/cluster/rates/settings.ts'
import { actorId } from '../../../src/domain/references.ts'
import { LocalRateWindows } from '../../../src/timing/rate-windows.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'
import { LinkedNodes } from '../parts/linked-nodes.ts'

const key = actorId('key', 0, '00000000')
const minute = { max: 300, windowMs: 60_000 }
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** Three nodes, of which one counts. */
const three = () => {
  const runtime = testRuntime()
  const linked = new LinkedNodes()
  const owner = { name: 'n1' }
  const node = (name: string) => {
    const windows = new LocalRateWindows(() => runtime.monotonicMs(), 1_000_000)
    const map = { ownerOf: () => owner.name, current: () => linked.map, refreshed: async () => linked.map }
    const link = linked.of(name)
    const ports = { node: name, link, map, runtime, serves: () => owner.name === name, nodes: () => 3 }
    const rates = new ClusterRates(ports, rateDefaults, windows)
    stops.push(() => rates.stop())
    return rates
  }
  const [n1, n2, n3] = [node('n1'), node('n2'), node('n3')] as const
  n1.opened(0, 1)
  return { runtime, linked, owner, n1, n2, n3 }
}

const admittedBy = async (rates: ClusterRates, count: number, rate = minute): Promise<number> => {
  let admitted = 0
  for (let each = 0; each < count; each++) if ((await rates.take(key, rate)).is === 'admitted') admitted++
  return admitted
}

describe('300 requests a minute', () => {
  it('are 300 over three nodes, and there is room for another when the first is a minute ago', async () => {
    const { n1, n2, n3, runtime } = three()
    const all = await Promise.all([n1, n2, n3].map((rates) => admittedBy(rates, 150)))
    expect(all.reduce((sum, count) => sum + count, 0)).toBe(300)
    const refused = await n2.take(key, minute)
    expect(refused).toMatchObject({ is: 'refused', remaining: 0 })
    runtime.forward(60_100)
    expect((await n3.take(key, minute)).is).toBe('admitted')
  })

  it('are all admitted through one node, although others have places ahead', async () => {
    const { n2, n3 } = three()
    expect(await admittedBy(n3, 40)).toBe(40)
    expect(await admittedBy(n2, 300)).toBe(260)
  })

  it('ask for far fewer answers than there are requests, while there is much room', async () => {
    const { n2, linked } = three()
    expect(await admittedBy(n2, 100)).toBe(100)
    expect(linked.requests).toBeLessThan(50)
  })

  it('say exactly how many are left once half of them are used', async () => {
    const { n1, n2 } = three()
    await admittedBy(n2, 160)
    expect(await n2.take(key, minute)).toMatchObject({ is: 'admitted', remaining: 139 })
    expect(await n1.take(key, minute)).toMatchObject({ is: 'admitted', remaining: 138 })
  })

  it('move to another node with their shard', async () => {
    const { n1, n2, n3, owner } = three()
    await admittedBy(n3, 200)
    n1.closed(0, 1)
    await n1.handOver(0, 'n2')
    owner.name = 'n2'
    n2.opened(0, 2)
    expect(await admittedBy(n3, 150)).toBe(100)
  })
})

describe('an owner out of reach', () => {
  it('leaves each node a third of the rate, of which what it had is a part', async () => {
    const { n2, n3, linked } = three()
    await admittedBy(n3, 60)
    linked.cut('n2', 'n1')
    linked.cut('n3', 'n1')
    expect(await admittedBy(n2, 300)).toBe(100)
    expect(await admittedBy(n3, 300)).toBeLessThanOrEqual(40 + rateDefaults.placesMax)
  })

  it('counts again when it is back', async () => {
    const { n2, linked, runtime } = three()
    linked.cut('n2', 'n1')
    await admittedBy(n2, 10)
    linked.mend()
    runtime.forward(1_100)
    const before = linked.requests
    await admittedBy(n2, 1)
    expect(linked.requests).toBe(before + 1)
  })
})
