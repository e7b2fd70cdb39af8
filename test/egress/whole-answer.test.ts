import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AnswerTooLong, EgressFailed, EgressRefused } from '../../src/egress/failures.ts'
import { Outbound, type OutboundCall } from '../../src/egress/outbound.ts'

const trusting = new Outbound({ allowPrivateTargets: true, socketsPerHostMax: 4 })
const strict = new Outbound({ allowPrivateTargets: false, socketsPerHostMax: 4 })

const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const call = (url: string, more: Partial<OutboundCall> = {}, by = trusting) =>
  by.call({
    method: 'GET',
    url,
    headers: {},
    body: null,
    timeoutMs: 2_000,
    answerBytesMax: 1_000,
    signal: new AbortController().signal,
    ...more,
  })

describe('an answer that is wanted whole', () => {
  it('comes with its status, headers and bytes', async () => {
    const url = await listen((incoming, answer) => {
      answer.writeHead(201, { 'X-Method': `${incoming.method} ${incoming.url}`, Date: 'then' })
      incoming.pipe(answer)
    })
    const body = Buffer.from([0, 255, 254, 10])
    const answer = await call(`${url}/a?b=c`, { method: 'POST', body })
    expect(answer).toMatchObject({
      status: 201,
      headers: { 'x-method': 'POST /a?b=c', date: 'then' },
      body,
    })
    expect((await call(url, { method: 'DELETE' })).headers['x-method']).toBe('DELETE /')
  })

  it.each([
    ['of exactly the most bytes', 1_000, null],
    ['of one byte more', 1_001, AnswerTooLong],
    ['of very many bytes', 50_000_000, AnswerTooLong],
  ])('%s is taken or is a failure', async (_, bytes, failure) => {
    const url = await listen((_incoming, answer) => {
      answer.writeHead(200)
      answer.end(Buffer.alloc(bytes))
    })
    if (failure === null) expect((await call(url)).body).toHaveLength(bytes)
    else await expect(call(url)).rejects.toThrow(failure)
  })

  it('that ends before it is whole is a failure', async () => {
    const url = await listen((_, answer) => {
      answer.writeHead(200, { 'Content-Length': '100' })
      answer.write('half', () => answer.destroy())
    })
    await expect(call(url)).rejects.toThrow(EgressFailed)
  })

  it('that is a redirect is not followed', async () => {
    const url = await listen((_, answer) => answer.writeHead(307, { Location: '/elsewhere' }).end())
    expect(await call(url)).toMatchObject({ status: 307, headers: { location: '/elsewhere' } })
  })

  it('is not waited for longer than allowed, nor after the call was given up', async () => {
    const url = await listen(() => undefined)
    await expect(call(url, { timeoutMs: 50 })).rejects.toThrow('no answer within 50 ms')
    await expect(call(url, { signal: AbortSignal.abort() })).rejects.toThrow(/given up/)
  })

  it('never comes from a private address', async () => {
    await expect(call('https://127.0.0.1/', {}, strict)).rejects.toThrow(EgressRefused)
    await expect(call('http://example.com/', {}, strict)).rejects.toThrow(EgressRefused)
  })
})
