import type { TLSSocket } from 'node:tls'
import { WebSocket } from 'ws'
import type { Runtime } from '../../../ports/runtime.ts'
import type { Wire } from '../wire.ts'

/** How long the other side may take to close as well. */
const END_LIMIT_MS = 5_000

/** A WebSocket on a TLS connection whose both ends have proved themselves. Each message is a batch. */
export const webSocketWire = (socket: WebSocket, stream: TLSSocket, runtime: Runtime): Wire => {
  // What the other side says at once must wait for the listener.
  socket.pause()
  return {
    send: (batch) => socket.send(batch, { binary: true }, ignored),
    unsentBytes: () => socket.bufferedAmount,
    receivedBytes: () => stream.bytesRead,
    end: () => {
      socket.close()
      const over = new AbortController()
      socket.once('close', () => over.abort(OVER))
      void runtime
        .sleep(END_LIMIT_MS, over.signal)
        .then(() => socket.terminate())
        .catch(() => {})
    },
    cut: () => socket.terminate(),
    listen: (listener) => {
      socket.on('message', (data, isBinary) => {
        // One Buffer, because that is what `binaryType` asks for; a text is nothing that a node says.
        if (isBinary && Buffer.isBuffer(data)) listener.received(data)
        else socket.terminate()
      })
      if (socket.readyState === WebSocket.CLOSED) setImmediate(() => listener.closed())
      else socket.once('close', () => listener.closed())
      socket.resume()
    },
  }
}

/** A connection that failed says so by closing. */
const ignored = (): void => {}

const OVER = new Error('the connection is over')
