import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { EgressFailed, EgressRefused } from '../../src/egress/failures.ts'
import { Outbound } from '../../src/egress/outbound.ts'

const signal = new AbortController().signal
const request = {
  headers: { 'Content-Type': 'text/plain' },
  body: 'ö',
  timeoutMs: 2000,
  answerBytesMax: 1000,
  signal,
}
const trusting = new Outbound({ allowPrivateTargets: true, socketsPerHostMax: 4 })
const strict = new Outbound({ allowPrivateTargets: false, socketsPerHostMax: 4 })

let server: Server
const listen = async (listener: RequestListener): Promise<string> => {
  server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

describe('a call to an address that somebody else chose', () => {
  it('gives the answer’s status and text', async () => {
    const url = await listen((incoming, answer) => {
      incoming.pipe(answer.writeHead(201))
    })
    expect(await trusting.post({ ...request, url })).toMatchObject({ status: 201, body: 'ö' })
  })

  it('does not follow a redirect', async () => {
    const url = await listen((_, answer) => answer.writeHead(307, { Location: '/elsewhere' }).end())
    expect((await trusting.post({ ...request, url })).status).toBe(307)
  })

  it('reads no more of an answer than is kept', async () => {
    const url = await listen((_, answer) => {
      answer.writeHead(200)
      const pour = (): void =>
        void (answer.write('x'.repeat(65_536)) ? setImmediate(pour) : answer.once('drain', pour))
      pour()
    })
    expect((await trusting.post({ ...request, url })).body).toHaveLength(1000)
  })

  it('ends at its time limit also when the answer drips', async () => {
    const url = await listen((_, answer) => {
      answer.writeHead(200)
      const drip = setInterval(() => answer.write('x'), 20)
      answer.once('close', () => clearInterval(drip))
    })
    await expect(trusting.post({ ...request, url, timeoutMs: 200 })).rejects.toThrow(EgressFailed)
  })

  it('says that nobody is there', async () => {
    const url = await listen(() => undefined)
    server.close()
    await expect(trusting.post({ ...request, url })).rejects.toThrow(/ECONNREFUSED/)
  })

  it('can be given up', async () => {
    const url = await listen(() => undefined)
    const controller = new AbortController()
    const call = trusting.post({ ...request, url, signal: controller.signal })
    controller.abort()
    await expect(call).rejects.toThrow(/given up/)
  })

  it('is not even begun when it was given up before', async () => {
    let calls = 0
    const url = await listen((_, answer) => {
      calls += 1
      answer.end()
    })
    const aborted = AbortSignal.abort()
    await expect(trusting.post({ ...request, url, signal: aborted })).rejects.toThrow(/given up/)
    expect(calls).toBe(0)
  })

  it.each([
    'http://example.com',
    'https://127.0.0.1',
    'https://[::1]/',
    'https://169.254.169.254/latest',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://user:password@example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'nonsense',
  ])('is never made to %s', async (url) => {
    await expect(strict.post({ ...request, url })).rejects.toThrow(EgressRefused)
  })

  it('is not made when the name leads to a private address', async () => {
    await expect(strict.post({ ...request, url: 'https://localhost:9/' })).rejects.toThrow(EgressRefused)
  })
})
