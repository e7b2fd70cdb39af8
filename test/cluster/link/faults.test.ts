import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { LinkFailed } from '../../../src/ports/node-link.ts'
import { linkSecret } from '../../../src/cluster/link/sockets/secret.ts'
import { openSecretFile } from '../../../src/cluster/link/sockets/secret-file.ts'
import { startProcess } from '../../../tools/harness/module-process.ts'
import { silentLog } from '../../silent-log.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { ask, connected, linesOf, runtime, SECRET, stateOf, TestCluster } from './parts/nodes.ts'
import { TcpProxy } from './parts/tcp-proxy.ts'

type LinkProcess = typeof import('./parts/link-process.ts')

const failed = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof LinkFailed ? error.notSent : error),
  )

describe('a link that is disturbed', () => {
  it('cuts a process that is frozen, and takes it back when it goes on', async () => {
    const cluster = new TestCluster()
    const a = await cluster.start('a')
    const other = await startProcess<LinkProcess>(new URL('./parts/link-process.ts', import.meta.url))
    onTestFinished(() => other[Symbol.asyncDispose]())
    const { value: address } = await other.call('start', 'b', [{ node: 'a', address: a.address }])
    cluster.listed.set('b', address)
    await expect.poll(() => stateOf(a, 'b')).toBe('connected')
    expect(await ask(a, 'b', 'hello')).toBe('hello')
    other.freeze()
    const asked = failed(ask(a, 'b', 'never begun', 'count', 1_000))
    const startedMs = performance.now()
    await expect.poll(() => stateOf(a, 'b')).not.toBe('connected')
    expect(performance.now() - startedMs).toBeGreaterThan(300)
    expect(await asked).toBe(false)
    expect(linesOf(a, 'link.lost')).toMatchObject([{ node: 'b', code: 'silent' }])
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    other.thaw()
    await expect.poll(() => stateOf(a, 'b')).toBe('connected')
    expect(await ask(a, 'b', '', 'count')).toBe('1')
  })

  for (const direction of ['forth', 'back'] as const) {
    it(`cuts a connection that is cut in one direction (${direction}), and has another when it is mended`, async () => {
      const cluster = new TestCluster()
      const b = await cluster.start('b')
      const proxy = await TcpProxy.to(() => b.address)
      cluster.listed.set('b', proxy.address)
      const a = await cluster.start('a')
      await connected(a, b)
      proxy.swallow(direction)
      const asked = [ask(a, 'b', 'x'), ask(b, 'a', 'x')].map(failed)
      await expect
        .poll(() => stateOf(direction === 'back' ? a : b, direction === 'back' ? 'b' : 'a'))
        .toBe('connecting')
      proxy.mend()
      proxy.cut()
      await connected(a, b)
      // One direction still brought its request, but no answer to it.
      expect(await Promise.all(asked)).toEqual([false, false])
      // One side may see that the old connection is over a moment after the other.
      await expect.poll(() => failed(ask(a, 'b', 'again'))).toBe('answered')
      await expect.poll(() => failed(ask(b, 'a', 'again'))).toBe('answered')
    })
  }

  it('cuts a node that does not read what it has asked for, long before memory is full of it', async () => {
    const cluster = new TestCluster()
    const patient = { silentMs: 60_000 }
    const b = await cluster.start('b', {
      settings: { ...patient, unsentBytesMax: 8 << 20 },
      handlers: { large: async () => Buffer.alloc(4 << 20) },
    })
    const proxy = await TcpProxy.to(() => b.address)
    cluster.listed.set('b', proxy.address)
    const a = await cluster.start('a', { settings: patient })
    await connected(a, b)
    proxy.stall('back')
    const asked = Array.from({ length: 16 }, () => failed(ask(a, 'b', '', 'large', 60_000)))
    await expect.poll(() => linesOf(b, 'link.lost').map(({ code }) => code)).toEqual(['slow'])
    proxy.cut()
    expect(new Set(await Promise.all(asked))).toEqual(new Set([false]))
    await expect.poll(() => failed(ask(a, 'b', 'again'))).toBe('answered')
  })

  it('connects again after a cut, each request ending once', async () => {
    const cluster = new TestCluster()
    const b = await cluster.start('b')
    const proxy = await TcpProxy.to(() => b.address)
    cluster.listed.set('b', proxy.address)
    const a = await cluster.start('a')
    await connected(a, b)
    for (let round = 1; round <= 5; round++) {
      const before = a.link.counts().connected
      const asked = Array.from({ length: 50 }, (_, index) => failed(ask(a, 'b', `${index}`)))
      proxy.cut()
      await Promise.all(asked)
      await expect.poll(() => a.link.counts().connected).toBeGreaterThan(before)
      await connected(a, b)
    }
    const { requests, answers, requestsFailed } = a.link.counts()
    expect(answers + requestsFailed).toBe(requests)
    expect(await ask(b, 'a', 'there')).toBe('there')
  })

  it('finds a node again that started anew elsewhere', async () => {
    const cluster = new TestCluster()
    const [a, b] = [await cluster.start('a'), await cluster.start('b')]
    await connected(a, b)
    await b.stop()
    await expect.poll(() => stateOf(a, 'b')).not.toBe('connected')
    const again = await cluster.start('b')
    await connected(a, again)
    expect(await ask(a, 'b', 'anew')).toBe('anew')
  })

  it('keeps the later one of two dials, in whatever order they arrive', async () => {
    const cluster = new TestCluster()
    const b = await cluster.start('b')
    const a = await cluster.start('a', { peers: () => [] })
    const peer = { node: 'b', address: b.address }
    const options = { signal: new AbortController().signal, mayBeOld: true }
    const closed: number[] = []
    const dialed = async (dial: number) => {
      const { wire } = await a.transport.dial(peer, dial, options)
      wire.listen({ received: () => {}, closed: () => closed.push(dial) })
      onTestFinished(() => wire.cut())
    }
    await Promise.all([dialed(7), dialed(8)])
    await dialed(3)
    await expect.poll(() => closed).toContain(3)
    expect(closed).not.toContain(8)
    expect(stateOf(b, 'a')).toBe('connected')
  })

  it('changes the secret while requests run, and none of them fails', async () => {
    const cluster = new TestCluster()
    const file = join(temporaryFolder('link-secret'), 'secret')
    const [old, next] = [SECRET, 'another secret of this cluster, just as long']
    const write = (...lines: readonly string[]): void =>
      writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
    write(old)
    const files = await Promise.all([1, 2].map(() => openSecretFile(file, runtime, silentLog, 20)))
    onTestFinished(async () => void (await Promise.all(files.map((each) => each[Symbol.asyncDispose]()))))
    const [one, other] = files
    if (one === undefined || other === undefined) throw new Error('there are two files')
    const a = await cluster.start('a', { linkSecrets: one })
    const b = await cluster.start('b', { linkSecrets: other })
    await connected(a, b)
    let asked = 0
    const flows = new AbortController()
    const flow = async (): Promise<void> => {
      while (!flows.signal.aborted) {
        const text = `request ${++asked}`
        expect(await ask(a, 'b', text)).toBe(text)
        expect(await ask(b, 'a', text)).toBe(text)
      }
    }
    const running = Promise.all(Array.from({ length: 8 }, flow))
    write(old, next)
    await expect
      .poll(() => [one, other].map((each) => each.stateOf(linkSecret(next).id)))
      .toEqual(['old', 'old'])
    write(next, old)
    await expect.poll(() => a.link.counts().connected).toBe(2)
    write(next)
    await expect
      .poll(() => [one, other].map((each) => each.stateOf(linkSecret(old).id)))
      .toEqual(['revoked', 'revoked'])
    const before = asked
    await expect.poll(() => asked).toBeGreaterThan(before + 100)
    flows.abort()
    await running
    expect(a.link.counts()).toMatchObject({ requestsFailed: 0, connected: 2 })
    expect(b.link.counts()).toMatchObject({ requestsFailed: 0, connected: 2 })
  })

  it('is there while one node has the new secret first and the other does not know it yet', async () => {
    const cluster = new TestCluster()
    const [old, next] = [linkSecret(SECRET), linkSecret('the next secret of this cluster, just as long')]
    let known = [old]
    const a = await cluster.start('a', { secrets: () => [next, old] })
    const b = await cluster.start('b', { secrets: () => known })
    await connected(a, b)
    expect(await ask(b, 'a', 'with the old one')).toBe('with the old one')
    // What is there stays meanwhile; the newer secret is tried again and again.
    const { connected: before } = a.link.counts()
    await expect.poll(() => a.link.counts().dialsFailed).toBeGreaterThan(3)
    expect(a.link.counts()).toMatchObject({ connected: before, lost: 0 })
    known = [old, next]
    await expect.poll(() => a.link.counts().connected).toBe(before + 1)
    known = [next]
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await ask(a, 'b', 'with the new one')).toBe('with the new one')
    expect(a.link.counts()).toMatchObject({ connected: before + 1, requestsFailed: 0, lost: 0 })
  })

  it('cuts a connection whose secret was withdrawn and that cannot be replaced', async () => {
    const cluster = new TestCluster()
    let secrets = [linkSecret(SECRET)]
    const settings = { revokedMs: 100 }
    const a = await cluster.start('a', { settings })
    const b = await cluster.start('b', { settings, secrets: () => secrets })
    await connected(a, b)
    secrets = [linkSecret('a secret that node a was never told of, alas')]
    await expect.poll(() => stateOf(b, 'a')).not.toBe('connected')
    await expect.poll(() => stateOf(a, 'b')).not.toBe('connected')
    await expect.poll(() => linesOf(a, 'link.dial_failed').length).toBe(1)
    expect(linesOf(b, 'link.stranger')).toMatchObject([{ code: 'tls' }])
  })
})
