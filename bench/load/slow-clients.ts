// Callers that take their time: each opens a connection, sends a request byte by byte, and begins anew when it is cut off.
import { connect, type Socket } from 'node:net'

export type SlowClients = { readonly port: number; readonly count: number; readonly byteEveryMs: number }

const HEAD = 'GET /v1/connections HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '
const BODY = 'POST /v1/connections/invitations HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n'
const RECONNECT_MS = 250

let opened = 0
let cutOff = 0
let ended = false
const sockets = new Set<Socket>()

/** Half of them never end their head, the other half their body. Resolves when all are connected. */
export async function start({ port, count, byteEveryMs }: SlowClients): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => begin(port, index % 2 === 0, byteEveryMs)))
}

export function stop(): { readonly opened: number; readonly cutOff: number; readonly connected: number } {
  ended = true
  const connected = sockets.size
  for (const socket of sockets) socket.destroy()
  return { opened, cutOff, connected }
}

const begin = (port: number, isHead: boolean, byteEveryMs: number): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    socket.on('connect', () => {
      opened += 1
      sockets.add(socket)
      socket.write(isHead ? HEAD : BODY)
      resolve()
    })
    const drip = setInterval(() => {
      if (socket.writable) socket.write('x')
    }, byteEveryMs)
    socket.on('data', () => undefined)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(drip)
      sockets.delete(socket)
      if (ended) return
      cutOff += 1
      setTimeout(() => void begin(port, isHead, byteEveryMs).then(resolve), RECONNECT_MS)
    })
  })
