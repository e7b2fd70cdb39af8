import { WebSocket } from 'ws'
import type { StartServer } from '../../../../src/http/server/server.ts'
import { clientAddressBehind } from '../../../../src/http/server/client-address.ts'
import { type SocketSettings, socketDefaults } from '../../../../src/http/server/sockets/settings.ts'
import type { Socket, SocketListener, SocketOpening } from '../../../../src/ports/sockets.ts'
import { startTrial, type Trial } from '../trial-service.ts'

export const MAILBOX = 'mbx_00abcdefgh'

/** A socket as whoever talks on it sees it. */
export type Talk = {
  readonly socket: Socket
  readonly opening: SocketOpening
  readonly received: string[]
  drained: number
  ended: number
}

export type TrialSockets = Trial & {
  readonly talks: readonly Talk[]
  readonly failures: readonly unknown[]
  /** What is done with each message, beside keeping it. */
  onMessage: (talk: Talk, message: string) => void | Promise<void>
  onOpen: (talk: Talk) => void
}

/** A server whose sockets are kept from the first message on, unless a test says otherwise. */
export const startSockets = async (
  start: StartServer,
  settings: Partial<SocketSettings> = {},
  bodyMemoryBytesMax = 16_777_216,
): Promise<TrialSockets> => {
  const talks: Talk[] = []
  const failures: unknown[] = []
  const doors = { onMessage: () => undefined, onOpen: ({ socket }: Talk) => socket.keep() } as Pick<
    TrialSockets,
    'onMessage' | 'onOpen'
  >
  const opened = (socket: Socket, opening: SocketOpening): SocketListener => {
    const talk: Talk = { socket, opening, received: [], drained: 0, ended: 0 }
    talks.push(talk)
    doors.onOpen(talk)
    return {
      received: async (message) => {
        const text = Buffer.from(message).toString()
        talk.received.push(text)
        await doors.onMessage(talk, text)
      },
      drained: () => void talk.drained++,
      ended: () => void talk.ended++,
    }
  }
  const trial = await startTrial(start, { bodyMemoryBytesMax }, 1_000, {
    door: { isAddress: (address) => address === MAILBOX, opened },
    clientAddress: clientAddressBehind(['127.0.0.1']),
    settings: { ...socketDefaults, ...settings },
    failed: (error) => void failures.push(error),
  })
  return Object.assign(doors, { ...trial, talks, failures })
}

/** The client, and what it got. */
export type Caller = {
  readonly ws: WebSocket
  readonly messages: { readonly text: string; readonly isBinary: boolean }[]
  readonly closed: () => { readonly code: number; readonly reason: string } | null
}

export const callAt = async (
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<Caller> => {
  const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, { perMessageDeflate: false, headers })
  const messages: Caller['messages'] = []
  let end: { code: number; reason: string } | null = null
  ws.on('message', (data, isBinary) =>
    messages.push({ text: Buffer.from(data as Buffer).toString(), isBinary }),
  )
  ws.on('close', (code, reason) => {
    end = { code, reason: reason.toString() }
  })
  await new Promise<void>((resolve, reject) => {
    ws.once('open', resolve)
    ws.once('error', reject)
  })
  ws.on('error', () => undefined)
  return { ws, messages, closed: () => end }
}

const KEY = 'dGhlIHNhbXBsZSBub25jZQ=='

/** The request of a handshake, byte by byte. */
export const handshake = (path: string, headers: Record<string, string | null> = {}): string => {
  const all = {
    Host: 'a',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': KEY,
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
  return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

/** A frame of a client; its mask is all zeros. */
export const frame = (opcode: number, text: string, isLast = true): Buffer => {
  const body = Buffer.from(text)
  if (body.length > 125) throw new RangeError('short frames only')
  return Buffer.concat([Buffer.from([(isLast ? 0x80 : 0) | opcode, 0x80 | body.length, 0, 0, 0, 0]), body])
}

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const
