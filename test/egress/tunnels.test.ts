import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Server as NetServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { EgressFailed, EgressRefused } from '../../src/egress/failures.ts'
import { Names, systemNames } from '../../src/egress/names.ts'
import { Outbound } from '../../src/egress/outbound.ts'
import { proxyOf } from '../../src/egress/tunnels.ts'
import { createAuthority } from '../../tools/infra/certificates.ts'
import { startNameServer } from './name-server.ts'

const closing: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const listening = async (server: NetServer): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    if ('closeAllConnections' in server) (server as Server).closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A proxy that notes what it is asked for; every address leads to this machine. */
const startProxy = async (status = 200) => {
  const asked: string[] = []
  const server = createServer((_, answer) => void answer.writeHead(400).end())
  server.on('connect', ({ url = '' }, client) => {
    asked.push(url)
    client.on('error', () => undefined)
    if (status !== 200) return void client.end(`HTTP/1.1 ${status} No\r\n\r\n`)
    const target = connect(Number(url.slice(url.lastIndexOf(':') + 1)), '127.0.0.1')
    target.on('error', () => client.destroy())
    target.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(target).pipe(client)
    })
    closing.push(() => void target.destroy())
  })
  const port = await listening(server)
  return { proxy: { host: '127.0.0.1', port }, asked }
}

type Settings = Partial<ConstructorParameters<typeof Outbound>[0]>
const outboundWith = async (
  settings: Settings,
  addresses: Readonly<Record<string, readonly string[]>> = {},
) => {
  const nameServer = await startNameServer(addresses)
  const names = new Names({ ...systemNames, servers: nameServer.servers })
  const outbound = new Outbound({ allowPrivateTargets: false, socketsPerHostMax: 4, ...settings }, names)
  closing.push(() => outbound[Symbol.dispose]())
  closing.push(() => nameServer[Symbol.dispose]())
  return outbound
}
const { signal } = new AbortController()
const request = { headers: {}, body: 'x', timeoutMs: 5_000, answerBytesMax: 100, signal }

describe('what goes out through a proxy', () => {
  it('is asked for by the address that was looked up, and keeps its connection', async () => {
    const port = await listening(createServer((_, answer) => answer.end('here')))
    const { proxy, asked } = await startProxy()
    const outbound = await outboundWith(
      { proxy, allowPrivateTargets: true },
      { 'receiver.example': ['127.0.0.1'] },
    )
    const url = `http://receiver.example:${port}/`
    for (let call = 0; call < 8; call++)
      expect(await outbound.post({ ...request, url })).toMatchObject({ status: 200, body: 'here' })
    expect(new Set(asked)).toEqual(new Set([`127.0.0.1:${port}`]))
    // The next call begins before the library has its connection back, so there are two.
    expect(asked.length).toBeLessThan(4)
  })

  it('speaks TLS with the target itself, whose name it checks', async () => {
    const { certificate: cert, key } = createAuthority('nobody knows it').issue('receiver.example', [
      'receiver.example',
    ])
    const server = createTlsServer({ cert, key }, (_, answer) => answer.end())
    const port = await listening(server)
    const { proxy, asked } = await startProxy()
    const outbound = await outboundWith({ proxy }, { 'receiver.example': ['93.184.216.34'] })
    const url = `https://receiver.example:${port}/`
    await expect(outbound.post({ ...request, url })).rejects.toThrow(
      /UNABLE_TO_VERIFY|SELF_SIGNED|UNABLE_TO_GET/,
    )
    expect(asked).toEqual([`93.184.216.34:${port}`])
  })

  it('never asks the proxy for an address inside, by name or as it stands', async () => {
    const { proxy, asked } = await startProxy()
    const outbound = await outboundWith({ proxy }, { 'inside.example': ['10.1.2.3', '::1'] })
    for (const host of ['inside.example', '10.1.2.3', '[::1]', '169.254.169.254'])
      await expect(outbound.post({ ...request, url: `https://${host}/` })).rejects.toThrow(EgressRefused)
    await expect(
      outbound.sockets.send({ url: 'wss://inside.example/', text: 'x', timeoutMs: 5_000, signal }),
    ).rejects.toThrow(EgressRefused)
    expect(asked).toEqual([])
  })

  it('is a failure where the proxy refuses, is no proxy, or is not there', async () => {
    const { proxy: refusing } = await startProxy(403)
    const noProxy = { host: '127.0.0.1', port: await listening(createServer((_, answer) => answer.end())) }
    const away = { host: '127.0.0.1', port: 1 }
    for (const [proxy, reason] of [
      [refusing, /answered 403/],
      [noProxy, /proxy/],
      [away, /cannot be reached/],
    ] as const) {
      const outbound = await outboundWith({ proxy, allowPrivateTargets: true })
      const failed = outbound.post({ ...request, url: 'http://127.0.0.1:9/' })
      await expect(failed).rejects.toThrow(EgressFailed)
      await expect(failed).rejects.toThrow(reason)
    }
  })

  it('may be a message on a WebSocket', async () => {
    const heard: string[] = []
    const server = createServer()
    const sockets = new WebSocketServer({ server })
    sockets.on('connection', (socket) => socket.on('message', (data: Buffer) => heard.push(data.toString())))
    const port = await listening(server)
    closing.push(() => {
      for (const client of sockets.clients) client.terminate()
    })
    const { proxy, asked } = await startProxy()
    const outbound = await outboundWith(
      { proxy, allowPrivateTargets: true },
      { 'wallet.example': ['127.0.0.1'] },
    )
    await outbound.sockets.send({
      url: `ws://wallet.example:${port}/`,
      text: 'hello',
      timeoutMs: 5_000,
      signal,
    })
    expect(heard).toEqual(['hello'])
    expect(asked).toEqual([`127.0.0.1:${port}`])
  })
})

describe('the address of a proxy', () => {
  it('is none, or a host with its port', () => {
    expect(proxyOf('')).toBeNull()
    expect(proxyOf('http://proxy.internal:3128')).toEqual({ host: 'proxy.internal', port: 3_128 })
    expect(proxyOf('http://[fd00::1]')).toEqual({ host: 'fd00::1', port: 80 })
  })
})

describe('ports that may be called', () => {
  it('are all of them, or those of a list, of which each scheme has its own', async () => {
    const outbound = await outboundWith({ targetPorts: [443, 8_443] }, { 'r.example': ['10.1.2.3'] })
    const reasonOf = (url: string) =>
      outbound.post({ ...request, url }).catch((error: Error) => error.message)
    expect(await reasonOf('https://r.example:8444/')).toBe(
      'the port 8444 is none of those that may be called',
    )
    for (const url of ['https://r.example/', 'https://r.example:8443/'])
      expect(await reasonOf(url)).toBe('the address is not a public one')
  })
})
