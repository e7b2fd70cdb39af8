import { expect, it } from 'vitest'
import { startNodeServer } from '../../../../src/http/server/node-server.ts'
import { RawSocket } from '../raw-socket.ts'
import { socketLimitSuite } from './socket-limit-suite.ts'
import { socketSuite } from './socket-suite.ts'
import { handshake, MAILBOX, startSockets } from './trial-sockets.ts'
import { upgradeSuite } from './upgrade-suite.ts'

upgradeSuite('node', startNodeServer)
socketSuite('node', startNodeServer)
socketLimitSuite('node', startNodeServer)

it('is closed for a frame without a mask', async () => {
  const { server, port } = await startSockets(startNodeServer)
  const socket = await RawSocket.open(port)
  socket.send(handshake(`/didcomm/${MAILBOX}`))
  expect((await socket.response())?.status).toBe(101)
  socket.send(Buffer.from([0x81, 1, 0x61]))
  await socket.closed()
  await server[Symbol.asyncDispose]()
})
