import { expect, it } from 'vitest'
import { limits } from '../../../../src/domain/limits.ts'
import { startNodeServer } from '../../../../src/http/server/node-server.ts'
import { eventually } from '../../../eventually.ts'
import { RawSocket } from '../raw-socket.ts'
import { socketLimitSuite } from './socket-limit-suite.ts'
import { socketSuite } from './socket-suite.ts'
import { callAt, handshake, MAILBOX, startSockets } from './trial-sockets.ts'
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

it('is closed for what a stranger sends in pieces as soon as it is too much', async () => {
  const sockets = await startSockets(startNodeServer)
  sockets.onOpen = () => undefined
  sockets.onMessage = ({ socket }) => socket.keep()
  const piece = 'x'.repeat(limits.strangerEnvelopeBytesMax / 2 + 1)
  const [stranger, known] = await Promise.all([1, 2].map(() => callAt(sockets.port, `/didcomm/${MAILBOX}`)))
  known?.ws.send('it is me')
  await eventually(() => expect(sockets.talks.flatMap(({ received }) => received)).toEqual(['it is me']))
  for (const caller of [stranger, known]) for (const _ of [1, 2]) caller?.ws.send(piece, { fin: false })
  await eventually(() => expect(stranger?.closed()?.code).toBe(1009))
  known?.ws.send('.')
  await eventually(() => expect(sockets.talks.flatMap(({ received }) => received).length).toBe(2))
  await sockets.server[Symbol.asyncDispose]()
})
