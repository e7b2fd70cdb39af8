import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { LINK_VERSIONS, PATH, PROOF, REFUSED, SAID } from '../../../../src/cluster/link/sockets/greeting.ts'
import { linkSecret } from '../../../../src/cluster/link/sockets/secret.ts'
import { networkOf } from '../../../../src/cluster/link/sockets/strangers.ts'
import { TLS } from '../../../../src/cluster/link/sockets/tls.ts'
import { LinkRefused, type Peer } from '../../../../src/cluster/link/wire.ts'
import { ask, connected, linesOf, secret, stateOf, TestCluster, type TestNode } from '../parts/nodes.ts'
import { TcpProxy } from '../parts/tcp-proxy.ts'

const portOf = (address: string): number => Number(address.split(':')[1])
const rawTo = (address: string, localAddress = '127.0.0.1'): Socket => {
  const socket = connectTcp({ port: portOf(address), host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}
/** TLS as a node speaks it, by someone who has the key of TLS and nothing else. */
const encryptedTo = async (address: string): Promise<TLSSocket> => {
  const stream = connect({
    port: portOf(address),
    host: '127.0.0.1',
    ...TLS,
    pskCallback: () => ({ psk: secret.tlsKey, identity: secret.id }),
    checkServerIdentity: () => undefined,
  })
  stream.on('error', () => {})
  onTestFinished(() => void stream.destroy())
  await once(stream, 'secureConnect')
  return stream
}
const ended = async (socket: Socket): Promise<string> => {
  let heard = ''
  socket.on('data', (bytes) => (heard += bytes.toString('latin1')))
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
  return heard
}
/** A kind that was logged twice stands here twice. */
const codesOf = (node: TestNode) =>
  linesOf(node, 'link.stranger')
    .map(({ code }) => `${code}`)
    .toSorted((one, other) => (one < other ? -1 : 1))
const options = () => ({ signal: new AbortController().signal, mayBeOld: true })
const other = linkSecret('a secret of quite another cluster, also long')

describe('the port of the nodes', () => {
  it('refuses a node with another secret, logged once', async () => {
    const cluster = new TestCluster()
    const a = await cluster.start('a', { secrets: () => [other] })
    const b = await cluster.start('b')
    await expect.poll(() => a.link.counts().dialsFailed).toBeGreaterThan(3)
    expect(stateOf(a, 'b')).toBe('connecting')
    expect(stateOf(b, 'a')).toBe('connecting')
    await expect.poll(() => codesOf(b)).toEqual(['tls'])
    expect(linesOf(a, 'link.dial_failed')).toHaveLength(1)
    expect(b.transport.unproved()).toBeLessThan(2)
  })

  it('refuses a node whose version does not fit, with a sentence, and takes one version apart', async () => {
    const cluster = new TestCluster()
    const b = await cluster.start('b', { versions: { speaks: 3, oldest: 2 } })
    const old = await cluster.start('a1', {
      versions: { speaks: 1, oldest: 1 },
      peers: () => cluster.peers(),
    })
    const near = await cluster.start('a2', { versions: { speaks: 2, oldest: 1 } })
    await connected(near, b)
    const spoken = (node: typeof b, of: string) => node.link.peers().find((peer) => peer.node === of)?.speaks
    expect([spoken(near, 'b'), spoken(b, 'a2')]).toEqual([3, 2])
    await expect.poll(() => stateOf(old, 'b')).toBe('refused')
    expect(linesOf(old, 'link.refused')).toContainEqual(
      expect.objectContaining({ node: 'b', code: 'version' }),
    )
    expect(linesOf(b, 'link.refused')).toMatchObject([{ node: 'a1', code: 'version' }])
    const dial = old.transport.dial({ node: 'b', address: b.address }, 1_000, options())
    const error = await dial.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(LinkRefused)
    expect((error as LinkRefused).message).toContain('upgrade by one version at a time')
  })

  it('refuses a relay: what was said to one node is worth nothing at another, nor at the one who said it', async () => {
    const cluster = new TestCluster()
    const routes: Peer[] = []
    const [c, a] = [await cluster.start('c'), await cluster.start('a', { peers: () => routes })]
    routes.push({ node: 'b', address: c.address }, { node: 'd', address: a.address })
    await expect.poll(() => [stateOf(a, 'b'), stateOf(a, 'd')]).toEqual(['refused', 'refused'])
    expect(linesOf(a, 'link.refused')).toContainEqual(expect.objectContaining({ node: 'b', code: 'name' }))
    expect(linesOf(c, 'link.refused')).toMatchObject([{ node: 'a', code: 'name' }])
  })

  it('refuses a relay that ends the encryption in between, even one with the key of TLS', async () => {
    const cluster = new TestCluster()
    const b = await cluster.start('b')
    const relay = createServer({ ...TLS, pskCallback: () => secret.tlsKey }, (near) => {
      near.on('error', () => {})
      void encryptedTo(b.address).then(
        (far) => near.pipe(far).pipe(near),
        () => {},
      )
    })
    onTestFinished(() => void relay.close())
    relay.listen(0, '127.0.0.1')
    await once(relay, 'listening')
    const address = `127.0.0.1:${(relay.address() as AddressInfo).port}`
    const a = await cluster.start('a', { peers: () => [{ node: 'b', address }] })
    await expect.poll(() => a.link.counts().dialsFailed).toBeGreaterThan(2)
    expect(stateOf(b, 'a')).toBe('connecting')
    expect(codesOf(b)).toEqual(['proof'])
  })

  it('refuses its own proof when it is sent back to it', async () => {
    const cluster = new TestCluster()
    const mirror = createServer({ ...TLS, pskCallback: () => secret.tlsKey }, (stream) => {
      stream.on('error', () => {})
      stream.once('data', (bytes: Buffer) => {
        const head = bytes.toString()
        const said = (name: string): string => new RegExp(`^${name}: (.*)\r$`, 'mi').exec(head)?.[1] ?? ''
        stream.write(
          `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
            `${SAID}: ${said(SAID)}\r\n${PROOF}: ${said(PROOF)}\r\n\r\n`,
        )
      })
    })
    onTestFinished(() => void mirror.close())
    mirror.listen(0, '127.0.0.1')
    await once(mirror, 'listening')
    const address = `127.0.0.1:${(mirror.address() as AddressInfo).port}`
    const a = await cluster.start('a', { peers: () => [{ node: 'b', address }] })
    await expect.poll(() => stateOf(a, 'b')).toBe('refused')
    expect(linesOf(a, 'link.refused')).toMatchObject([{ node: 'b', code: 'proof' }])
  })

  it('is not sought where a certificate is shown instead of the secret, whoever signed it', async () => {
    const cluster = new TestCluster()
    const read = (name: string) => readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url))
    let heard = 0
    const server = createServer({ cert: read('localhost.crt'), key: read('localhost.key') }, (stream) =>
      stream.on('data', (bytes: Buffer) => void (heard += bytes.length)),
    )
    server.on('tlsClientError', () => {})
    onTestFinished(() => void server.close())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const a = await cluster.start('a', { peers: () => [{ node: 'b', address }] })
    await expect.poll(() => a.link.counts().dialsFailed).toBeGreaterThan(2)
    expect(heard).toBe(0)
  })

  it('ends garbage, half a handshake and silence, each kind logged once, and says nothing', async () => {
    const cluster = new TestCluster()
    const b = await cluster.start('b', { limits: { unprovedMs: 300 } })
    for (let time = 0; time < 5; time++) {
      const garbage = rawTo(b.address)
      garbage.write(randomBytes(2_000))
      // Seven bytes: an alert of TLS.
      expect((await ended(garbage)).length).toBeLessThanOrEqual(7)
      const plain = rawTo(b.address)
      plain.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      expect((await ended(plain)).length).toBeLessThanOrEqual(7)
    }
    const silent = Array.from({ length: 5 }, () => ended(rawTo(b.address)))
    const half = rawTo(b.address)
    half.write(Buffer.from('1603010200010001fc0303', 'hex'))
    expect(await Promise.all([...silent, ended(half)])).toEqual(Array.from({ length: 6 }, () => ''))
    await expect.poll(() => b.transport.unproved()).toBe(0)
    expect(codesOf(b)).toEqual(['late', 'tls'])
    expect(b.transport.strangers()).toBe(16)
  })

  it('ends those who greet byte by byte, ask for something else, or greet without a proof', async () => {
    const cluster = new TestCluster()
    const b = await cluster.start('b', { limits: { unprovedMs: 500 } })
    const slow = await encryptedTo(b.address)
    slow.write(`GET ${PATH} HTTP/1.1\r\n${SAID}: `)
    const dripping = setInterval(() => slow.write('x'), 20)
    onTestFinished(() => clearInterval(dripping))
    expect(await ended(slow)).toBe('')
    const asking = await encryptedTo(b.address)
    asking.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await ended(asking)).toBe('')
    const large = await encryptedTo(b.address)
    large.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n${SAID}: ${'x'.repeat(10_000)}\r\n`)
    expect(await ended(large)).toBe('')
    const unproved = await encryptedTo(b.address)
    const greeting = { node: 'a', peer: 'b', incarnation: 'i', dial: 1, atMs: 0, ...LINK_VERSIONS }
    unproved.write(
      `GET ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n` +
        `${SAID}: ${Buffer.from(JSON.stringify(greeting)).toString('base64url')}\r\n${PROOF}: AAAA\r\n\r\n`,
    )
    const answer = await ended(unproved)
    expect(answer).toBe('')
    expect(answer).not.toContain(REFUSED)
    await expect.poll(() => codesOf(b)).toEqual(['late', 'proof', 'request'])
  })

  it('holds no more than its bound of 1,000 strangers, and nodes find each other meanwhile', async () => {
    const cluster = new TestCluster()
    const b = await cluster.start('b', { limits: { unprovedMax: 20, unprovedMs: 60_000 } })
    const strangers = Array.from({ length: 1_000 }, () => rawTo(b.address))
    const a = await cluster.start('a')
    await connected(a, b)
    // A dial of the node itself may be among those that were turned away.
    await expect.poll(() => b.transport.strangers()).toBeGreaterThanOrEqual(980)
    expect(b.transport.unproved()).toBeLessThanOrEqual(20)
    expect(await ask(a, 'b', 'undisturbed')).toBe('undisturbed')
    // On a busy machine the node may have given up a dial itself; one line for each kind all the same.
    expect(codesOf(b).filter((code) => code !== 'left')).toEqual(['crowd'])
    expect(codesOf(b).length).toBeLessThanOrEqual(2)
    for (const stranger of strangers) stranger.destroy()
    await expect.poll(() => b.transport.unproved()).toBe(0)
  })

  it('lets no stranger of one address push out one of another', async () => {
    const cluster = new TestCluster()
    const b = await cluster.start('b', { limits: { unprovedMax: 20, unprovedMs: 60_000 } })
    const first = rawTo(b.address, '127.0.0.2')
    await expect.poll(() => b.transport.unproved()).toBe(1)
    for (let count = 0; count < 200; count++) rawTo(b.address, '127.0.0.3')
    await expect.poll(() => b.transport.strangers()).toBeGreaterThanOrEqual(181)
    expect(b.transport.unproved()).toBe(20)
    expect(first.readyState).toBe('open')
    // One that comes last finds a place as well, and keeps it.
    const last = rawTo(b.address, '127.0.0.4')
    await expect.poll(() => b.transport.strangers()).toBeGreaterThanOrEqual(182)
    for (let count = 0; count < 100; count++) rawTo(b.address, '127.0.0.3')
    await expect.poll(() => b.transport.strangers()).toBeGreaterThanOrEqual(282)
    expect([first.readyState, last.readyState]).toEqual(['open', 'open'])
  })

  it('counts by address, and by what is given to one customer of IPv6', () => {
    expect(networkOf('10.1.2.3')).toBe('10.1.2.3')
    expect(networkOf('::ffff:10.1.2.3')).toBe('10.1.2.3')
    expect(networkOf('2001:db8:0:7::1')).toBe('2001:db8:0:7')
    expect(networkOf('2001:db8:0:7:ab:cd:ef:1')).toBe('2001:db8:0:7')
    expect(networkOf('::1')).toBe('0:0:0:0')
  })

  it('cuts a proved node that sends more at once than a link carries, or anything that is no batch', async () => {
    const cluster = new TestCluster()
    const b = await cluster.start('b', { settings: { bodyBytesMax: 100_000 } })
    const loose = await cluster.start('a', { peers: () => [], settings: { bodyBytesMax: 10_000_000 } })
    const dial = async (count: number, message: Buffer): Promise<void> => {
      const peer = { node: 'b', address: b.address }
      const { wire } = await loose.transport.dial(peer, count, options())
      const isOver = new Promise<void>((closed) => wire.listen({ received: () => {}, closed }))
      wire.send(message)
      await isOver
    }
    await dial(1, Buffer.alloc(1_000_000))
    await dial(2, randomBytes(500))
    await expect.poll(() => linesOf(b, 'link.lost').map(({ code }) => code)).toEqual(['closed', 'broken'])
    expect(stateOf(b, 'a')).toBe('connecting')
  })

  it('lets nothing be read on the way', async () => {
    const cluster = new TestCluster()
    const b = await cluster.start('b')
    const proxy = await TcpProxy.to(() => b.address)
    cluster.listed.set('b', proxy.address)
    const a = await cluster.start('a')
    await connected(a, b)
    const canary = 'canary of a person'
    expect(await ask(a, 'b', canary.repeat(1_000))).toContain(canary)
    expect(await ask(b, 'a', canary)).toBe(canary)
    const seen = Buffer.concat(proxy.recorded)
    expect(seen.length).toBeGreaterThan(20_000)
    for (const text of [canary, 'echo', PATH, SAID, '"peer"'])
      for (const form of [text, Buffer.from(text).toString('base64url').slice(0, -2)])
        expect(seen.includes(form)).toBe(false)
  })

  it('speaks to nobody who only speaks WebSocket', async () => {
    const cluster = new TestCluster()
    const b = await cluster.start('b')
    const socket = new WebSocket(`wss://127.0.0.1:${portOf(b.address)}${PATH}`, { rejectUnauthorized: false })
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message).toMatch(/alert|ECONNRESET|hang up/)
  })
})
