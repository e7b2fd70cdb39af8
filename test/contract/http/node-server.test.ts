import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
import { startNodeServer } from '../../../src/http/server/node-server.ts'
import { errorOf, get, RawSocket } from './raw-socket.ts'
import { serverSuite } from './server-suite.ts'
import { tlsSuite } from './tls-suite.ts'
import { startTrial, type Trial } from './trial-service.ts'

/** A tunnel, and bodies whose rest is waited for. */
const UNANSWERED = ['CONNECT b:443', 'chunks: ffffffffffffffff', 'chunks: 2xdxa{']

serverSuite('node', startNodeServer, {
  pages: [],
  isSilentAt: (name) => UNANSWERED.some((unanswered) => name.includes(unanswered)),
})
tlsSuite('node', startNodeServer)

describe('the server built into Node', () => {
  let trial: Trial
  beforeAll(async () => {
    trial = await startTrial(startNodeServer)
  })
  afterAll(() => trial.server[Symbol.asyncDispose]())

  it.each([
    ['bytes', get('/things/a', `X-A: ${'b'.repeat(limits.headBytesMax + 500)}\r\n`)],
    ['headers', get('/things/a', 'X-A: b\r\n'.repeat(200))],
  ])('says in an error like every other that a head has too many %s', async (_name, request) => {
    const socket = await RawSocket.open(trial.port)
    socket.send(request)
    const response = await socket.response()
    expect([response?.status, errorOf(response)]).toEqual([431, 'invalid_request'])
    await socket.closed()
  })

  it('answers an expectation that it does not know like a request without it', async () => {
    const socket = await RawSocket.open(trial.port)
    socket.send(get('/things/a', 'Expect: 200-ok\r\n'))
    const response = await socket.response()
    expect([response?.status, response?.headers.get('x-request-id')]).toEqual([200, expect.any(String)])
    socket.destroy()
  })
})
