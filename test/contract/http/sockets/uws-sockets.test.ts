import { expect, it } from 'vitest'
import { eventually } from '../../../eventually.ts'
import { startUwsServer } from '../../../../src/http/server/uws-server.ts'
import { RawSocket } from '../raw-socket.ts'
import { socketLimitSuite } from './socket-limit-suite.ts'
import { socketSuite } from './socket-suite.ts'
import { handshake, MAILBOX, startSockets } from './trial-sockets.ts'
import { upgradeSuite } from './upgrade-suite.ts'

upgradeSuite('uws', startUwsServer)
socketSuite('uws', startUwsServer)
socketLimitSuite('uws', startUwsServer)

/** Nothing of ours can change this. A build that mends it makes the test fail. */
it('reads a frame without a mask as if it had one, so that nobody can read its message', async () => {
  const { server, port, talks } = await startSockets(startUwsServer)
  const socket = await RawSocket.open(port)
  socket.send(handshake(`/didcomm/${MAILBOX}`))
  expect((await socket.response())?.status).toBe(101)
  socket.send(Buffer.concat([Buffer.from([0x82, 4]), Buffer.from('abcdefgh')]))
  await eventually(() => expect(talks[0]?.received.length).toBe(1))
  expect(talks[0]?.received).not.toEqual(['abcd'])
  await server[Symbol.asyncDispose]()
})
