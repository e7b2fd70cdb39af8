import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { WireReply, WireRequest } from './request-and-reply.ts'

/** A vendor may also say nothing at all, or end the connection. */
export type Outcome = WireReply | 'silence' | 'reset'

export type Tls = { readonly certificate: string; readonly key: string }

type Loopback = {
  readonly answer: (request: WireRequest) => Outcome | Promise<Outcome>
  /** Zero takes one that is free. */
  readonly port?: number
  readonly tls?: Tls
}

export type Served = { readonly url: string; readonly stop: () => Promise<void> }

/** Two images of 5 MB in base64 and what is around them. */
const BODY_BYTES_MAX = 16 * 1_024 * 1_024

/** A server that only this machine reaches, with TLS or without. */
export const serveOnLoopback = async ({ answer, port = 0, tls }: Loopback): Promise<Served> => {
  const listener: RequestListener = (incoming, response) =>
    // A caller who hangs up before the whole request is there has asked for nothing.
    void take(incoming, response, answer).catch(() => incoming.destroy())
  const server = tls
    ? createTlsServer({ cert: tls.certificate, key: tls.key }, listener)
    : createServer(listener)
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      if (!server.listening) return
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

async function take(
  incoming: IncomingMessage,
  response: ServerResponse,
  answer: Loopback['answer'],
): Promise<void> {
  const body = await bodyOf(incoming)
  if (body === null) return void response.writeHead(413, { connection: 'close' }).end()
  const [path = '', ...rest] = (incoming.url ?? '').split('?')
  const outcome = await answer({
    method: incoming.method ?? '',
    path,
    query: rest.join('?'),
    headers: linesOf(incoming.rawHeaders),
    body,
  })
  if (outcome === 'silence') return
  if (outcome === 'reset') return void incoming.socket.destroy()
  const content = Buffer.from(outcome.body)
  // An answer that says that it has no content says no length either.
  const length = outcome.status === 204 ? {} : { 'content-length': content.length }
  response.writeHead(outcome.status, { ...outcome.headers, ...length }).end(content)
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const linesOf = (raw: readonly string[]): (readonly [string, string])[] =>
  Array.from({ length: raw.length / 2 }, (_, line) => [
    (raw[2 * line] ?? '').toLowerCase(),
    raw[2 * line + 1] ?? '',
  ])
