import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { EgressFailed, EgressRefused } from '../../src/egress/failures.ts'
import { Outbound } from '../../src/egress/outbound.ts'

const trusting = new Outbound({ allowPrivateTargets: true, socketsPerHostMax: 1 })
const strict = new Outbound({ allowPrivateTargets: false, socketsPerHostMax: 1 })
const { signal } = new AbortController()
const message = { text: '{"protected":"ö"}', timeoutMs: 2_000, signal }

let server: WebSocketServer
const listen = async (autoPong = true) => {
  const heard: string[] = []
  server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong })
  server.on('connection', (socket) => socket.on('message', (data: Buffer) => heard.push(data.toString())))
  await new Promise((resolve) => server.once('listening', resolve))
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
}
afterEach(() => {
  for (const client of server?.clients ?? []) client.terminate()
  server?.close()
})

describe('a message on a WebSocket', () => {
  it('has been read when it is delivered', async () => {
    const { url, heard } = await listen()
    await trusting.sockets.send({ ...message, url })
    expect(heard).toEqual([message.text])
    await expect.poll(() => server.clients.size).toBe(0)
  })

  it('is not delivered to one that does not say that it has read it', async () => {
    const { url } = await listen(false)
    await expect(trusting.sockets.send({ ...message, url, timeoutMs: 200 })).rejects.toThrow(EgressFailed)
    await expect.poll(() => server.clients.size).toBe(0)
  })

  it('is not delivered where nobody listens, or what listens is no WebSocket', async () => {
    const { url } = await listen()
    await new Promise((resolve) => server.close(resolve))
    await expect(trusting.sockets.send({ ...message, url })).rejects.toThrow(EgressFailed)
  })

  it('ends when it is given up', async () => {
    const { url } = await listen(false)
    const given = new AbortController()
    const sent = trusting.sockets.send({ ...message, url, signal: given.signal })
    setTimeout(() => given.abort(), 20)
    await expect(sent).rejects.toThrow(EgressFailed)
    await expect(trusting.sockets.send({ ...message, url, signal: given.signal })).rejects.toThrow(
      EgressFailed,
    )
  })

  it('goes to no address inside, and to none without TLS', async () => {
    const { heard, url } = await listen()
    const { port } = new URL(url)
    for (const target of [
      url,
      `wss://127.0.0.1:${port}`,
      `wss://localhost:${port}`,
      'https://wallet.example',
      'x',
    ])
      await expect(strict.sockets.send({ ...message, url: target })).rejects.toThrow(EgressRefused)
    expect(heard).toEqual([])
  })
})
