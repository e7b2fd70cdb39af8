import { afterEach, describe, expect, it } from 'vitest'
import { ClusterRates } from '../../../src/cluster/rates/cluster-rates.ts'
import { rateDefaults, type RateSettings } from '../../../src/cluster/rates/settings.ts'
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
const three = (settings: Partial<RateSettings> = {}) => {
  const runtime = testRuntime()
  const linked = new LinkedNodes()
  const owner = { name: 'n1' }
  const node = (name: string) => {
    const windows = new LocalRateWindows(() => runtime.monotonicMs(), 1_000_000)
    const map = { ownerOf: () => owner.name, current: () => linked.map, refreshed: async () => linked.map }
    const link = linked.of(name)
    const ports = { node: name, link, map, runtime, serves: () => owner.name === name }
    const rates = new ClusterRates(ports, { ...rateDefaults, ...settings }, windows)
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

  it('are counted for no key that names no shard, on any node', () => {
    for (const rates of Object.values(three()).filter((each) => each instanceof ClusterRates))
      expect(() => rates.take('session ann', minute)).toThrow(RangeError)
  })
})

/** What becomes of so many requests that come at once. */
const outcomes = async (rates: ClusterRates, count: number) => {
  const all = Array.from({ length: count }, async () => rates.take(key, minute))
  const settled = await Promise.allSettled(all)
  const failures = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  const decided = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value.is] : []))
  const admitted = decided.filter((is) => is === 'admitted').length
  return { admitted, refused: decided.length - admitted, failures }
}

describe('an owner that does not answer', () => {
  it('leaves what was lent before; for anything else a node says that it cannot know, and when to come again', async () => {
    const { n1, n2, n3, linked } = three({ waitMs: 100 })
    await admittedBy(n3, 60)
    linked.cut('n2', 'n1')
    linked.cut('n1', 'n3')
    const [none, some] = await Promise.all([outcomes(n2, 50), outcomes(n3, 50)])
    expect(none).toMatchObject({ admitted: 0, refused: 0 })
    expect(some.refused).toBe(0)
    expect(some.admitted).toBeLessThanOrEqual(rateDefaults.placesMax)
    const unavailable = { name: 'AskFailed', code: 'unavailable', retryAfterMs: 1_000 }
    for (const failure of [...none.failures, ...some.failures]) expect(failure).toMatchObject(unavailable)
    // The owner and those who reach it have the rest of the 300, and nobody more.
    linked.mend()
    const rest = await outcomes(n1, 300)
    expect(60 + some.admitted + rest.admitted).toBeLessThanOrEqual(300)
    expect(rest.failures).toEqual([])
  })

  it('for a second makes requests wait, and no more than 300 of them are admitted', async () => {
    const { n1, n2, n3, linked, runtime } = three()
    linked.stall('n1', 'n2')
    linked.stall('n3', 'n1')
    const all = Promise.all([n1, n2, n3].map((rates) => outcomes(rates, 150)))
    await runtime.sleep(1_000)
    linked.mend()
    const found = await all
    expect(found.flatMap(({ failures }) => failures)).toEqual([])
    const admitted = found.reduce((sum, each) => sum + each.admitted, 0)
    expect(admitted).toBeLessThanOrEqual(300)
    // Places that could not be asked back count as used.
    expect(admitted).toBeGreaterThanOrEqual(300 - 2 * rateDefaults.placesMax)
  })

  it('is asked by one request at a time', async () => {
    const { n2, linked } = three({ waitMs: 400 })
    linked.cut('n2', 'n1')
    await outcomes(n2, 1)
    linked.requests = 0
    await outcomes(n2, 200)
    expect(linked.requests).toBeLessThan(20)
  })

  it('counts a question once, however often its answer is lost', async () => {
    const { n2, linked } = three()
    linked.cut('n1', 'n2')
    const asked = n2.take(key, { max: 2, windowMs: 60_000 })
    await new Promise((resolve) => setTimeout(resolve, 300))
    linked.mend()
    expect(await asked).toMatchObject({ is: 'admitted', remaining: 1 })
  })

  it('hears what was used of its places meanwhile', async () => {
    const { n1, n2, linked, runtime } = three()
    await admittedBy(n2, 20)
    linked.cut('n2', 'n1')
    linked.cut('n1', 'n2')
    const taken = Array.from({ length: 4 }, () => n2.take(key, minute))
    expect(taken.filter((each) => !(each instanceof Promise)).length).toBeGreaterThan(0)
    linked.mend()
    for (const each of taken) expect((await each).is).toBe('admitted')
    // The loan ends, and its use is told.
    runtime.forward(1_100)
    await runtime.sleep(300)
    runtime.forward(2_500)
    // 20 before, four, this one; nothing is reserved any more, and nothing is counted that was not used.
    const counted = await n1.take(key, { max: 1_000_000, windowMs: 60_000 })
    expect(counted).toMatchObject({ remaining: 1_000_000 - 25 })
  })
})
