import type { Duplex } from 'node:stream'
import { refusalReply } from '../route/problem.ts'
import { newRequestId, type Reply, statusLine } from './server.ts'

/** How long a refused caller has to read the answer; closing the socket at once could take the answer back. */
const REFUSED_LINGER_MS = 1_000

/** What Node's parser refuses never becomes a request, but is answered with a body like every other error. */
export const refuseSocket = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  refuseConnection(
    socket,
    refusalReply(error.code === 'HPE_HEADER_OVERFLOW' ? 'head_too_large' : 'malformed'),
  )
}

/** Answers on a connection that has no response of its own, and ends it. */
export const refuseConnection = (socket: Duplex, { status, headers, body }: Reply): void => {
  const own = {
    ...headers,
    Connection: 'close',
    'X-Request-Id': newRequestId(),
    'Content-Length': Buffer.byteLength(body),
  }
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${String(value)}\r\n`)
  socket.end(`HTTP/1.1 ${statusLine(status)}\r\n${lines.join('')}\r\n${String(body)}`)
  // No timeout of the server covers this socket any more, and the caller may never close its side.
  setTimeout(() => socket.destroy(), REFUSED_LINGER_MS).unref()
}
