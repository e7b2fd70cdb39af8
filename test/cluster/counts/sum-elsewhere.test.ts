import { describe, expect, it } from 'vitest'
import { sumElsewhere } from '../../../src/cluster/counts/sum-elsewhere.ts'
import type { Listener } from '../../../src/ports/event-feed.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import type { PublicEvent } from '../../../src/ports/publication.ts'
import type { EventStream } from '../../../src/ports/stream.ts'
import { LiveFeed } from '../../../src/stream/event-feed.ts'
import { feedSettings } from '../../../src/compose/events.ts'
import { LinkedNodes } from '../parts/linked-nodes.ts'

const NODES = ['n1', 'n2', 'n3']
const quiet: Pick<EventStream, 'listen'> = {
  listen: () => Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() }),
}

const three = () => {
  const linked = new LinkedNodes()
  const peersOf = (own: string) => () =>
    NODES.filter((node) => node !== own).map(
      (node) => ({ node, state: 'connected', sinceMs: 0, speaks: 3, waiting: 0 }) as const,
    )
  const feeds = NODES.map((node) => {
    const link = { ...linked.of(node), peers: peersOf(node) }
    return new LiveFeed(quiet, feedSettings, (name, here) => sumElsewhere({ link }, name, here))
  })
  const open = async (index: number, tenant = 'ten_a', listener: Listener = { kind: 'api_key' }) => {
    const place = await feeds[index % NODES.length]?.listen(tenant, null, () => undefined, listener)
    if (place === undefined) throw new Error('there is no such node')
    return place
  }
  const trigger = (index: number, tenant: string) => feeds[index]?.trigger(madeUp(tenant))
  return { linked, open, trigger }
}

const person = (name: string) => ({ kind: 'session', person: name }) as const

const madeUp = (tenant: string): PublicEvent => ({
  id: 'evt_test_1',
  type: 'proof.state_changed',
  tenant,
  createdAtMs: 1,
  recordType: 'test',
  recordId: 'evt_test_1',
  data: { text: 'é "' },
  sealed: null,
})

describe('a made-up event', () => {
  it('reaches those who listen on any node, once each, and none of another organisation', async () => {
    const { open, trigger } = three()
    const opened = [await open(0), await open(1), await open(2), await open(2), await open(1, 'ten_b')]
    expect(await trigger(0, 'ten_a')).toBe(4)
    const heard = opened.map((place) => (isRefused(place) ? [] : [place.next(), place.next()]))
    const once = [{ synthetic: madeUp('ten_a') }, null]
    expect(heard).toEqual([once, once, once, once, [null, null]])
    expect([await trigger(1, 'ten_b'), await trigger(1, 'ten_c')]).toEqual([1, 0])
  })

  it('is counted without a node that does not answer, as one of an older release does not', async () => {
    const { linked, open, trigger } = three()
    await open(0)
    await open(1)
    linked.cut('n2', 'n1')
    expect(await trigger(0, 'ten_a')).toBe(1)
  })
})

describe('streams of one organisation', () => {
  it('are counted together, on whichever nodes they are open', async () => {
    const { open } = three()
    const max = feedSettings.listenersOfTenantMax.api_key
    const opened = []
    for (let index = 0; index < max; index++) opened.push(await open(index))
    expect(opened.filter(isRefused)).toEqual([])
    for (let index = 0; index < NODES.length; index++) expect(isRefused(await open(index))).toBe(true)
    expect(isRefused(await open(0, 'ten_b'))).toBe(false)
    const [first] = opened
    if (first !== undefined && !isRefused(first)) first[Symbol.dispose]()
    expect(isRefused(await open(1))).toBe(false)
  })

  it('are counted apart where people listen', async () => {
    const { open } = three()
    const max = feedSettings.listenersOfTenantMax.session
    for (let index = 0; index < max; index++)
      expect(isRefused(await open(index, 'ten_a', person(`acc_${index}`)))).toBe(false)
    expect(isRefused(await open(1, 'ten_a', person('acc_late')))).toBe(true)
    expect(isRefused(await open(1))).toBe(false)
  })

  it('are counted together for one person too', async () => {
    const { open } = three()
    const max = feedSettings.listenersOfPersonMax
    for (let index = 0; index < max; index++)
      expect(isRefused(await open(index, 'ten_a', person('acc_ada')))).toBe(false)
    for (let index = 0; index < NODES.length; index++)
      expect(isRefused(await open(index, 'ten_a', person('acc_ada')))).toBe(true)
    expect(isRefused(await open(0, 'ten_a', person('acc_bob')))).toBe(false)
  })

  it('are counted without a node that does not answer', async () => {
    const { linked, open } = three()
    const max = feedSettings.listenersOfTenantMax.api_key
    for (let index = 0; index < max; index++) await open(1)
    expect(isRefused(await open(0))).toBe(true)
    linked.cut('n2', 'n1')
    expect(isRefused(await open(0))).toBe(false)
  })
})
