import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { Agent, request as requestOf } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { reservePorts } from '../../../src/ledger/sandbox/reserved-ports.ts'
import type { NodeAddress } from '../../../tools/cluster/proxy/nodes.ts'
import { startProxy } from '../../../tools/cluster/proxy/proxy.ts'
import { createAuthority } from '../../../tools/infra/certificates.ts'

const authority = createAuthority('of this test')
const { certificate, key } = authority.issue('localhost', ['localhost', '127.0.0.1'])
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A node: what it answers, whether it says that it is ready, and what has come to it. */
const startNode = async (name: string, answer: RequestListener) => {
  const seen: IncomingMessage[] = []
  const node = { isReady: true, seen }
  const server = createServer((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  const ready = createServer((_, response) => response.writeHead(node.isReady ? 200 : 503).end())
  const [port, readyPort] = await Promise.all([listening(server), listening(ready)])
  const address: NodeAddress = { name, host: '127.0.0.1', port, readyUrl: `http://127.0.0.1:${readyPort}/` }
  return Object.assign(node, { server, address })
}

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

/** A node that says it is ready, and whose port is closed. */
const absent = async (): Promise<NodeAddress> => {
  const { address } = await startNode('absent', (_, response) => response.end())
  return { ...address, port: await reservePorts(1) }
}

const startBefore = async (...nodes: readonly NodeAddress[]) => {
  const [port, statusPort] = [await reservePorts(1), await reservePorts(1)]
  const settings = { host: '127.0.0.1', port, statusPort, certificate, key, nodes }
  const proxy = await startProxy(settings)
  closing.push(() => proxy.stop())
  const agent = new Agent({ ca: authority.certificate, keepAlive: true })
  closing.push(() => agent.destroy())
  const isUp = (name: string) => proxy.states().find((state) => state.name === name)?.isUp
  await expect.poll(() => nodes.map(({ name }) => isUp(name))).not.toContain(false)
  const send = (path: string, options: { method?: string; headers?: Record<string, string> } = {}) =>
    requestOf({ host: '127.0.0.1', port, path, agent, ...options })
  const call = async (
    path: string,
    { body = '', ...options }: { body?: string; method?: string; headers?: Record<string, string> } = {},
  ) => {
    const outgoing = send(path, options)
    outgoing.end(body)
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
  }
  return { port, proxy, send, call, isUp }
}

const naming = (name: string) => startNode(name, (_, response) => void response.end(name))

describe('the proxy of a cluster', () => {
  it('gives nodes requests in turn, and none to a node that is not ready', async () => {
    const [one, two] = [await naming('one'), await naming('two')]
    const { call, isUp } = await startBefore(one.address, two.address)
    for (let round = 0; round < 10; round++) await call('/')
    expect([one.seen.length, two.seen.length]).toEqual([5, 5])
    one.isReady = false
    await expect.poll(() => isUp('one')).toBe(false)
    for (let round = 0; round < 10; round++) expect(await call('/')).toMatchObject({ text: 'two' })
    two.isReady = false
    await expect.poll(() => isUp('two')).toBe(false)
    expect(await call('/')).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
    expect([one.seen.length, two.seen.length]).toEqual([5, 15])
  })

  it('gives a request to the node that has least to do', async () => {
    const busy = await startNode('busy', (request, response) => {
      if (request.url !== '/long') response.end('busy')
    })
    const idle = await startNode('idle', (request, response) => {
      if (request.url !== '/long') response.end('idle')
    })
    const { call, send } = await startBefore(busy.address, idle.address)
    const long = send('/long').on('error', () => undefined)
    long.end()
    await expect.poll(() => busy.seen.length + idle.seen.length).toBe(1)
    const other = busy.seen.length === 1 ? 'idle' : 'busy'
    for (let round = 0; round < 4; round++) expect(await call('/')).toMatchObject({ text: other })
    long.destroy()
  })

  it('gives a request to the next node when the first could not be reached, with its whole body', async () => {
    const there = await startNode(
      'there',
      (request, response) => void text(request).then((body) => response.end(body)),
    )
    const { call, proxy } = await startBefore(await absent(), there.address)
    const body = 'x'.repeat(300_000)
    for (let round = 0; round < 4; round++) {
      const headers = { 'Content-Length': String(body.length) }
      expect((await call('/', { method: 'POST', body, headers })).text === body).toBe(true)
    }
    expect(there.seen).toHaveLength(4)
    expect(proxy.states().map(({ taken }) => taken)).toEqual([0, 4])
    expect(proxy.states()[0]?.passedOn).toBeGreaterThan(0)
  })

  it('sends no request twice: a node that breaks off has had it, and nobody else gets it', async () => {
    const broken = [1, 2].map((number) =>
      startNode(`broken ${number}`, (request) => request.once('data', () => request.socket.destroy())),
    )
    const nodes = await Promise.all(broken)
    const { call } = await startBefore(...nodes.map(({ address }) => address))
    for (const path of ['/one', '/two', '/three'])
      expect(await call(path, { method: 'POST', body: 'order' })).toMatchObject({ status: 502 })
    expect(nodes.flatMap(({ seen }) => seen)).toHaveLength(3)
    const paths = nodes.flatMap(({ seen }) => seen.map(({ url }) => url))
    expect(new Set(paths)).toEqual(new Set(['/one', '/two', '/three']))
  })

  it('hands on bodies piece by piece, both ways', async () => {
    const echo = await startNode('echo', (request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      request.pipe(response)
    })
    const { send } = await startBefore(echo.address)
    const outgoing = send('/stream', { method: 'POST' })
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
    outgoing.write('first')
    const [answer] = await answered
    expect(String((await once(answer, 'data'))[0])).toBe('first')
    outgoing.write('second')
    expect(String((await once(answer, 'data'))[0])).toBe('second')
    outgoing.end()
    await once(answer.resume(), 'end')
  })

  it('tells the caller that half of an answer is not all of it', async () => {
    const half = await startNode('half', (request, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('half', () => request.socket.destroy())
    })
    const { call, proxy } = await startBefore(half.address)
    await expect(call('/')).rejects.toThrow(/aborted|hang up|ECONNRESET/)
    await expect.poll(() => proxy.states()[0]).toMatchObject({ lost: 1, open: 0 })
  })

  it('tells the node when the caller has left', async () => {
    const gone = Promise.withResolvers<void>()
    const slow = await startNode('slow', (request) => request.once('close', () => gone.resolve()))
    const { send, proxy } = await startBefore(slow.address)
    const outgoing = send('/').on('error', () => undefined)
    outgoing.end()
    await expect.poll(() => slow.seen.length).toBe(1)
    outgoing.destroy()
    await gone.promise
    await expect.poll(() => proxy.states()[0]).toMatchObject({ lost: 0, open: 0 })
  })

  it('says itself where a caller comes from, and keeps what else it was sent', async () => {
    const { address, seen } = await startNode('one', (_, response) => {
      response.setHeader('Set-Cookie', ['a=1', 'b=2'])
      response.setHeader('Keep-Alive', 'timeout=1')
      response.end()
    })
    const { call } = await startBefore(address)
    const headers = {
      'X-Forwarded-For': '192.0.2.1',
      Forwarded: 'for=192.0.2.1',
      Authorization: 'Bearer k',
      Host: 'localhost:77',
    }
    const answer = await call('/a%2Fb?c=d', { headers })
    expect(seen[0]?.url).toBe('/a%2Fb?c=d')
    expect(seen[0]?.headers).toMatchObject({
      host: 'localhost:77',
      authorization: 'Bearer k',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
    })
    expect(seen[0]?.headers).not.toHaveProperty('forwarded')
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2'])
    expect(answer.headers['keep-alive']).not.toBe('timeout=1')
  })

  it('joins a caller that wants a WebSocket with a node, and refuses every other protocol', async () => {
    const node = await naming('one')
    // Both sides say what they like from there on; the proxy understands nothing of it.
    node.server.on('upgrade', (request, socket, head) => {
      if (request.url !== '/socket')
        return void socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno')
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-For: ${String(request.headers['x-forwarded-for'])}\r\n\r\nhello`,
      )
      socket.write(head)
      socket.pipe(socket)
    })
    const { send, call, proxy } = await startBefore(await absent(), node.address)
    const upgrade = { headers: { Connection: 'Upgrade', Upgrade: 'websocket' } }
    const outgoing = send('/socket', upgrade)
    outgoing.end()
    const [answer, socket, head] = (await once(outgoing, 'upgrade')) as [IncomingMessage, Duplex, Buffer]
    expect(answer.headers).toMatchObject({ upgrade: 'websocket', 'x-for': '127.0.0.1' })
    let heard = head.toString()
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
    await expect.poll(() => heard).toBe('hello')
    for (const word of ['a', 'b'.repeat(100_000)]) {
      heard = ''
      socket.write(word)
      await expect.poll(() => heard === word).toBe(true)
    }
    expect(proxy.states()[1]?.open).toBe(1)
    socket.destroy()
    await expect.poll(() => proxy.states()[1]?.open).toBe(0)
    expect(await call('/elsewhere', upgrade)).toMatchObject({ status: 404, text: 'no' })
    expect(await call('/', { headers: { Connection: 'Upgrade', Upgrade: 'h2c' } })).toMatchObject({
      status: 400,
    })
  })

  it('knows other nodes from one moment to the next, and lets the requests at old ones end', async () => {
    const held = Promise.withResolvers<void>()
    const old = await startNode('old', (_, response) => void held.promise.then(() => response.end('old')))
    const next = await naming('next')
    const { call, proxy, isUp } = await startBefore(old.address)
    const running = call('/')
    await expect.poll(() => old.seen.length).toBe(1)
    await proxy.know([next.address])
    await expect.poll(() => isUp('next')).toBe(true)
    expect(await call('/')).toMatchObject({ text: 'next' })
    held.resolve()
    expect(await running).toMatchObject({ status: 200, text: 'old' })
  })
})
