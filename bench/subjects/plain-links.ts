import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LinkFailed, type LinkHandler, type NodeLink } from '../../src/ports/node-link.ts'

/** Two nodes that are connected, and what ends that. Links of another kind can be measured in its place. */
export type LinkedPair = { readonly links: readonly [NodeLink, NodeLink] } & AsyncDisposable
export type OpenPair = (names: readonly [string, string]) => Promise<LinkedPair>

const HEAD_BYTES = 9
const REQUEST = 0

/** Frames over a bare socket: no encryption, no proof, no bounds. What a link must cost at the least. */
export const plainPair: OpenPair = async (names) => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-asks-'))
  const path = join(folder, 'link')
  const accepted = Promise.withResolvers<Socket>()
  const server = createServer((socket) => accepted.resolve(socket))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const socket = connect(path)
  const links = [linkOver(socket, names[1]), linkOver(await accepted.promise, names[0])] as const
  return {
    links,
    [Symbol.asyncDispose]: async () => {
      socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** No link at all: the bytes of a frame are handed over, so that what is left is what asks cost beside their link. */
export const handedPair: OpenPair = async (names) => {
  const handlers = new Map<string, LinkHandler>()
  const link = (self: string, peer: string): NodeLink => ({
    handle: (_, handler) => void handlers.set(self, handler),
    request: async (_node, _service, body) => {
      const handler = handlers.get(peer)
      if (handler === undefined) throw new LinkFailed('no handler was said', true)
      return handler(body, self, 5_000)
    },
    onPeer: () => () => undefined,
    peers: () => [],
  })
  return {
    links: [link(names[0], names[1]), link(names[1], names[0])],
    [Symbol.asyncDispose]: async () => {},
  }
}

const linkOver = (socket: Socket, peer: string): NodeLink => {
  const handlers: LinkHandler[] = []
  const waiting = new Map<number, (answer: Uint8Array) => void>()
  let next = 0
  let rest: Buffer = Buffer.alloc(0)
  const send = (kind: number, id: number, body: Uint8Array): void => {
    const head = Buffer.alloc(HEAD_BYTES)
    head.writeUInt32LE(body.length, 0)
    head.writeUInt32LE(id, 4)
    head[8] = kind
    socket.cork()
    socket.write(head)
    socket.write(body)
    process.nextTick(() => socket.uncork())
  }
  const took = (kind: number, id: number, body: Uint8Array): void => {
    if (kind !== REQUEST) {
      waiting.get(id)?.(body)
      waiting.delete(id)
      return
    }
    const [handler] = handlers
    if (handler === undefined) throw new Error('no handler was said')
    void handler(body, peer, 5_000).then((answer) => send(1, id, answer))
  }
  socket.on('data', (chunk: Buffer) => {
    let data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (data.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + data.readUInt32LE(0)
      if (data.length < end) break
      took(data[8] ?? 0, data.readUInt32LE(4), data.subarray(HEAD_BYTES, end))
      data = data.subarray(end)
    }
    rest = data
  })
  return {
    handle: (_, handler) => void handlers.push(handler),
    request: (node, _, body) => {
      if (node !== peer) return Promise.reject(new LinkFailed('there is no such node', true))
      const id = next++
      const { promise, resolve } = Promise.withResolvers<Uint8Array>()
      waiting.set(id, resolve)
      send(REQUEST, id, body)
      return promise
    },
    onPeer: () => () => undefined,
    peers: () => [{ node: peer, state: 'connected', sinceMs: 0, speaks: null, waiting: waiting.size }],
  }
}
