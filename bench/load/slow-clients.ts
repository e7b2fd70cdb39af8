// Callers that take their time: each opens a connection, sends a request byte by byte, and begins again when it is cut off.
import { connect, type Socket } from 'node:net'

export type SlowClients = {
  readonly port: number
  /** Whose bodies these are: those of strangers are not waited for. */
  readonly key: string
  readonly count: number
  readonly byteEveryMs: number
}

const HEAD = 'GET /v1/connections HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '
const bodyOf = (key: string): string =>
  `POST /v1/connections/invitations HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Length: 100000\r\n\r\n`
const RECONNECT_MS = 250

let opened = 0
let cutOff = 0
let ended = false
const sockets = new Set<Socket>()

/** Half of them never end their head, the other half their body. Resolves when all are connected. */
export async function start({ port, key, count, byteEveryMs }: SlowClients): Promise<void> {
  const begun = (index: number): string => (index % 2 === 0 ? HEAD : bodyOf(key))
  await Promise.all(Array.from({ length: count }, (_, index) => begin(port, begun(index), byteEveryMs)))
}

export function stop(): { readonly opened: number; readonly cutOff: number; readonly connected: number } {
  ended = true
  const connected = sockets.size
  for (const socket of sockets) socket.destroy()
  return { opened, cutOff, connected }
}

const begin = (port: number, begun: string, byteEveryMs: number): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    socket.on('connect', () => {
      opened += 1
      sockets.add(socket)
      socket.write(begun)
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
      setTimeout(() => void begin(port, begun, byteEveryMs).then(resolve), RECONNECT_MS)
    })
  })
