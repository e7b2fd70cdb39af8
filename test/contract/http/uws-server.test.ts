import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
import { startUwsServer } from '../../../src/http/server/uws-server.ts'
import { get, RawSocket } from './raw-socket.ts'
import { serverSuite } from './server-suite.ts'
import { tlsSuite } from './tls-suite.ts'
import { startTrial, type Trial } from './trial-service.ts'
import { isUwsSilentAt } from './uws-silence.ts'

serverSuite('uws', startUwsServer, { pages: [400, 431, 505], isSilentAt: isUwsSilentAt })
tlsSuite('uws', startUwsServer)

/** Nothing of ours can change these; the operator's manual names them. A build that mends one makes its test fail. */
describe('this build of uWebSockets.js', () => {
  let trial: Trial
  beforeAll(async () => {
    trial = await startTrial(startUwsServer)
  })
  afterAll(() => trial.server[Symbol.asyncDispose]())

  it('refuses a request whose first packet ends inside the last words of the request line', async () => {
    const socket = await RawSocket.open(trial.port)
    const request = get('/things/a')
    socket.send(request.slice(0, 'GET /things/a HTTP'.length))
    await new Promise(setImmediate)
    expect((await socket.response())?.status).toBe(505)
    await socket.closed()
  })

  it('does not see the headers that follow one without a name', async () => {
    const socket = await RawSocket.open(trial.port)
    socket.send(get('/things/a', ': x\r\nContent-Length: abc\r\n'))
    expect((await socket.response())?.status).toBe(200)
    socket.destroy()
  })

  it('closes without a word, by its timeout, what it takes for the beginning of something longer', async () => {
    const socket = await RawSocket.open(trial.port)
    socket.send('GET /things/a HTTP/1.1\r\n\r\n')
    await socket.closed(30_000)
    expect(socket.unread).toBe('')
  })

  it('refuses a head that is too large with a page of its own', async () => {
    const socket = await RawSocket.open(trial.port)
    socket.send(get('/things/a', `X-A: ${'b'.repeat(limits.headBytesMax + 500)}\r\n`))
    await socket.closed()
    expect(socket.unread).toMatch(/^HTTP\/1.1 431 .*\r\n\r\n<h1>/s)
  })

  it('refuses what it cannot parse with a page of its own', async () => {
    const socket = await RawSocket.open(trial.port)
    socket.send('GET /things/a HTTP/1.0\r\nHost: a\r\n\r\n')
    await socket.closed()
    expect(socket.unread).toMatch(/^HTTP\/1.1 505 .*\r\n\r\n<h1>/s)
  })
})
