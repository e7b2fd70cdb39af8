import { describe, expect, it } from 'vitest'
import { sumElsewhere } from '../../../src/cluster/counts/sum-elsewhere.ts'
import type { ListenerKind } from '../../../src/ports/event-feed.ts'
import { isRefused } from '../../../src/domain/decider.ts'
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
      (node) => ({ node, state: 'connected', sinceMs: 0, waiting: 0 }) as const,
    )
  const feeds = NODES.map((node) => {
    const link = { ...linked.of(node), peers: peersOf(node) }
    return new LiveFeed(quiet, feedSettings, (here) => sumElsewhere({ link }, 'streams', here))
  })
  const open = async (index: number, tenant = 'ten_a', by: ListenerKind = 'api_key') => {
    const place = await feeds[index % NODES.length]?.listen(tenant, null, () => undefined, by)
    if (place === undefined) throw new Error('there is no such node')
    return place
  }
  return { linked, open }
}

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
      expect(isRefused(await open(index, 'ten_a', 'session'))).toBe(false)
    expect(isRefused(await open(1, 'ten_a', 'session'))).toBe(true)
    expect(isRefused(await open(1))).toBe(false)
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
