import { describe, expect, it } from 'vitest'
import { LinkFailed } from '../../../src/ports/node-link.ts'
import { ask, connected, stateOf, TestCluster } from './parts/nodes.ts'

const never = () => new Promise<Uint8Array>(() => {})
const failure = async (work: Promise<unknown>): Promise<LinkFailed> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(LinkFailed)
  return error as LinkFailed
}

describe('a link between two nodes', () => {
  it('carries requests both ways over one connection, with the proved name of the one who asks', async () => {
    const cluster = new TestCluster()
    const handlers = { who: async (_: Uint8Array, from: string) => Buffer.from(from) }
    const a = await cluster.start('a', { handlers })
    const b = await cluster.start('b', { handlers })
    await connected(a, b)
    expect(await ask(a, 'b', '', 'who')).toBe('a')
    expect(await ask(b, 'a', '', 'who')).toBe('b')
    expect(a.link.counts().connected).toBe(1)
    expect(b.link.counts().connected).toBe(1)
    expect(a.link.peers()).toMatchObject([{ node: 'b', state: 'connected', speaks: 3, waiting: 0 }])
  })

  it('keeps many requests in flight apart', async () => {
    const cluster = new TestCluster()
    const handlers = {
      later: async (body: Uint8Array) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
        return body
      },
    }
    const [a, b] = [await cluster.start('a', { handlers }), await cluster.start('b', { handlers })]
    await connected(a, b)
    const texts = Array.from({ length: 500 }, (_, index) => `${index} ${'x'.repeat(index * 7)}`)
    const answers = await Promise.all(
      texts.flatMap((text) => [ask(a, 'b', text, 'later'), ask(b, 'a', text, 'later')]),
    )
    expect(answers).toEqual(texts.flatMap((text) => [text, text]))
  })

  it('carries bodies up to the bound, and refuses larger ones before and after', async () => {
    const cluster = new TestCluster()
    const settings = { bodyBytesMax: 300_000 }
    const handlers = { large: async () => Buffer.alloc(300_001) }
    const [a, b] = [await cluster.start('a', { settings }), await cluster.start('b', { settings, handlers })]
    await connected(a, b)
    const body = Buffer.alloc(300_000, 'x')
    expect(await a.link.request('b', 'echo', body, { timeoutMs: 20_000 })).toEqual(body)
    const tooLarge = await failure(a.link.request('b', 'echo', Buffer.alloc(300_001), { timeoutMs: 20_000 }))
    expect(tooLarge.notSent).toBe(true)
    expect((await failure(ask(a, 'b', '', 'large'))).notSent).toBe(false)
    expect(stateOf(a, 'b')).toBe('connected')
  })

  it('tells that a handler threw, and nothing of what it said', async () => {
    const cluster = new TestCluster()
    const handlers = {
      fails: async () => Promise.reject(new Error('canary')),
      throws: () => {
        throw new Error('canary')
      },
    }
    const [a, b] = [await cluster.start('a'), await cluster.start('b', { handlers })]
    await connected(a, b)
    for (const service of ['fails', 'throws']) {
      const error = await failure(ask(a, 'b', '', service))
      expect(error.notSent).toBe(false)
      expect(error.message).not.toContain('canary')
    }
    const unknown = await failure(ask(a, 'b', '', 'nothing-like-it'))
    expect(unknown.notSent).toBe(true)
  })

  it('ends a request at its deadline, and drops the answer that comes later', async () => {
    const cluster = new TestCluster()
    const answer = Promise.withResolvers<Uint8Array>()
    const [a, b] = [
      await cluster.start('a'),
      await cluster.start('b', { handlers: { slow: () => answer.promise } }),
    ]
    await connected(a, b)
    expect((await failure(ask(a, 'b', '', 'slow', 50))).notSent).toBe(false)
    answer.resolve(Buffer.from('late'))
    expect(await ask(a, 'b', 'still there')).toBe('still there')
    expect(a.link.counts().answers).toBe(1)
  })

  it('refuses at once what is over its bounds, in count and in bytes', async () => {
    const cluster = new TestCluster()
    const settings = { waitingMax: 3, waitingBytesMax: 1_000, serviceShare: 1 }
    const [a, b] = [await cluster.start('a', { settings }), await cluster.start('b', { handlers: { never } })]
    await connected(a, b)
    const held = [1, 2, 3].map(() => failure(ask(a, 'b', 'x', 'never', 2_000)))
    expect((await failure(ask(a, 'b', 'x', 'never'))).notSent).toBe(true)
    expect(a.link.peers()[0]?.waiting).toBe(3)
    expect((await Promise.all(held)).map(({ notSent }) => notSent)).toEqual([false, false, false])
    const large = failure(ask(a, 'b', 'x'.repeat(5_000), 'never', 1_000))
    expect((await failure(ask(a, 'b', 'x', 'never'))).notSent).toBe(true)
    await large
    expect(await ask(a, 'b', 'free again')).toBe('free again')
  })

  it('serves no more of one node at once than its own bound', async () => {
    const cluster = new TestCluster()
    const [a, b] = [
      await cluster.start('a'),
      await cluster.start('b', { settings: { waitingMax: 2, serviceShare: 1 }, handlers: { never } }),
    ]
    await connected(a, b)
    const held = [1, 2].map(() => failure(ask(a, 'b', '', 'never', 3_000)))
    const refused = await failure(ask(a, 'b', '', 'never', 3_000))
    expect(refused.notSent).toBe(true)
    expect(b.link.counts()).toMatchObject({ served: 2, turnedAway: 1 })
    await Promise.all(held)
  })

  it('leaves a quarter of its places to others, whatever one service takes, on both sides', async () => {
    const cluster = new TestCluster()
    const settings = { waitingMax: 8, waitingBytesMax: 8_000 }
    const [a, b] = [
      await cluster.start('a', { settings }),
      await cluster.start('b', { settings, handlers: { never, large: never } }),
    ]
    await connected(a, b)
    const held = Array.from({ length: 6 }, () => failure(ask(a, 'b', '', 'never', 2_000)))
    expect((await failure(ask(a, 'b', '', 'never'))).notSent).toBe(true)
    expect(await ask(a, 'b', 'a small question')).toBe('a small question')
    await Promise.all(held)
    // Given up here, and still under way there.
    expect((await failure(ask(a, 'b', '', 'never'))).notSent).toBe(true)
    expect(await ask(a, 'b', 'a small question')).toBe('a small question')
    const large = failure(ask(a, 'b', 'x'.repeat(5_900), 'large', 1_000))
    expect((await failure(ask(a, 'b', 'x'.repeat(200), 'large'))).notSent).toBe(true)
    expect(await ask(a, 'b', 'x'.repeat(200))).toBe('x'.repeat(200))
    await large
  })

  it('waits for no answers when it stops: nobody is left who could use them', async () => {
    const cluster = new TestCluster()
    const [a, b] = [await cluster.start('a'), await cluster.start('b', { handlers: { never } })]
    await connected(a, b)
    const asked = failure(ask(a, 'b', '', 'never'))
    await expect.poll(() => b.link.counts().served).toBe(1)
    const startedMs = performance.now()
    await a.stop()
    expect(performance.now() - startedMs).toBeLessThan(1_000)
    expect((await asked).notSent).toBe(false)
  })

  it('says since when each state has been', async () => {
    const cluster = new TestCluster()
    const [a, b] = [await cluster.start('a'), await cluster.start('b')]
    const beganMs = Date.now()
    await connected(a, b)
    const [before] = a.link.peers()
    expect(before?.sinceMs).toBeGreaterThanOrEqual(beganMs - 1_000)
    await b.stop()
    await expect.poll(() => stateOf(a, 'b')).toBe('connecting')
    expect(a.link.peers()[0]?.sinceMs).toBeGreaterThanOrEqual(before?.sinceMs ?? Number.POSITIVE_INFINITY)
  })

  it('answers what it had begun before it stops, and is gone afterwards', async () => {
    const cluster = new TestCluster()
    const answer = Promise.withResolvers<Uint8Array>()
    const [a, b] = [
      await cluster.start('a'),
      await cluster.start('b', { handlers: { slow: () => answer.promise } }),
    ]
    await connected(a, b)
    const changes: boolean[] = []
    a.link.onPeer(({ isConnected }) => changes.push(isConnected))
    const asked = ask(a, 'b', '', 'slow')
    await expect.poll(() => b.link.counts().served).toBe(1)
    const stopping = b.stop()
    await expect.poll(() => stateOf(a, 'b')).not.toBe('connected')
    expect((await failure(ask(a, 'b', 'more'))).notSent).toBe(true)
    answer.resolve(Buffer.from('done'))
    expect(await asked).toBe('done')
    await stopping
    expect(changes).toEqual([false])
    expect(a.link.counts().lost).toBe(0)
  })

  it('is not there for a node that nobody knows, nor for itself', async () => {
    const cluster = new TestCluster()
    const a = await cluster.start('a')
    expect((await failure(ask(a, 'nobody', ''))).notSent).toBe(true)
    expect((await failure(ask(a, 'a', ''))).notSent).toBe(true)
  })

  it('lets a node go that is listed no more, and has it again when it is', async () => {
    const cluster = new TestCluster()
    const [a, b] = [await cluster.start('a'), await cluster.start('b')]
    await connected(a, b)
    cluster.listed.delete('b')
    await expect.poll(() => a.link.peers()).toEqual([])
    cluster.listed.set('b', b.address)
    await connected(a, b)
    expect(await ask(b, 'a', 'again')).toBe('again')
  })

  it('takes handlers before it starts, one for each service', async () => {
    const cluster = new TestCluster()
    const { link } = await cluster.start('a')
    expect(() => link.handle('late', async (body) => body)).toThrow('after the start')
  })
})
