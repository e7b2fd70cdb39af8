import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AwsRekognition } from '../../src/biometric/aws/aws-rekognition.ts'
import { AzureFace } from '../../src/biometric/azure/azure-face.ts'
import { Outbound } from '../../src/egress/outbound.ts'
import { entered } from './aws/region.ts'
import { enteredFor } from './azure/resource.ts'
import { checksWith, wayOut } from './checks.ts'

const listen = async (listener: RequestListener) => {
  let calls = 0
  const server = createServer((incoming, answer) => {
    calls += 1
    incoming.resume()
    incoming.once('end', () => listener(incoming, answer))
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls: () => calls }
}

const both = (url: string, outbound = wayOut()) => [
  checksWith(
    new AwsRekognition({ outbound, now: Date.now, endpoints: () => ({ rekognition: url, sts: url }) }),
    entered,
  ),
  checksWith(new AzureFace({ outbound, now: Date.now }), enteredFor(url)),
]

describe('the way to the vendors', () => {
  it('brings back no more than an answer can have', async () => {
    const { url } = await listen((_, answer) => {
      answer.writeHead(200)
      const pour = (): void =>
        void (answer.write(Buffer.alloc(65_536, ' ')) ? setImmediate(pour) : answer.once('drain', pour))
      pour()
    })
    for (const { begin, read } of both(url)) {
      expect(await begin()).toMatchObject({ kind: 'away', why: 'unreadable' })
      expect(await read('a-session')).toMatchObject({ kind: 'away', why: 'unreadable' })
    }
  })

  it('leads nowhere else', async () => {
    const elsewhere = await listen((_, answer) => answer.end('{}'))
    for (const status of [301, 302, 303, 307, 308]) {
      const { url } = await listen((_, answer) => answer.writeHead(status, { Location: elsewhere.url }).end())
      for (const { begin, read } of both(url)) {
        expect(await begin()).toMatchObject({ kind: 'away', why: 'redirected' })
        expect(await read('a-session')).toMatchObject({ kind: 'away', why: 'redirected' })
      }
    }
    expect(elsewhere.calls()).toBe(0)
  })

  it('does not lead into the network of the service', async () => {
    const { url, calls } = await listen((_, answer) => answer.end('{}'))
    const strict = new Outbound({ allowPrivateTargets: false, socketsPerHostMax: 2 })
    onTestFinished(() => strict[Symbol.dispose]())
    for (const address of [
      url,
      url.replace('http', 'https'),
      url.replace('http://127.0.0.1', 'https://localhost'),
    ])
      for (const { begin, read, tryAccount } of both(address, strict)) {
        expect(await begin()).toMatchObject({ kind: 'refused', what: 'endpoint' })
        expect(await read('a-session')).toMatchObject({ kind: 'refused', what: 'endpoint' })
        expect(await tryAccount()).toMatchObject({ obstacles: [{ what: 'endpoint' }] })
      }
    expect(calls()).toBe(0)
  })

  it('ends where an answer says that it is longer than it is', async () => {
    const { url } = await listen((_, answer) => {
      answer.writeHead(200, { 'Content-Length': '1000' })
      answer.write('{}', () => answer.destroy())
    })
    for (const { read } of both(url))
      expect(await read('a-session')).toMatchObject({ kind: 'away', why: 'unreachable' })
  })
})
