import { type ClientRequest, type IncomingMessage, request as requestOf, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { answerHeaders, hasBody, requestHeaders } from './heads.ts'
import type { ProxiedNode, ProxiedNodes } from './nodes.ts'

const CONNECT_LIMIT_MS = 2_000
/** Longer than a node ever thinks. */
const ANSWER_LIMIT_MS = 60_000
/** Longer than the pause between two signs of life of a stream of events or of an idle WebSocket. */
const SILENCE_LIMIT_MS = 1_000_000

/** The other end of a caller: how it gets a node's answer, and what else a node may do with it. */
type Caller = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The connection of a caller that asks for another protocol. */
  readonly upgrade: { readonly socket: Duplex; readonly head: Buffer } | null
}

/**
 * Hands a request to a node. Until a connection to the node stands nothing of the request has left, so another node may
 * have it; from then on it is never sent again, whatever happens: only the caller knows whether that would do harm.
 */
export const forward = (nodes: ProxiedNodes, caller: Caller): void => {
  const tried = new Set<ProxiedNode>()
  const tryNext = (): void => {
    const node = nodes.choose(tried)
    if (node === null) return refuse(caller.response, 503, 'No node is ready; try again.')
    tried.add(node)
    send(node, caller, tryNext)
  }
  tryNext()
}

/** Of a caller that wants another protocol. The answer of a node that refuses it is an ordinary one, and the last. */
export const forwardUpgrade = (
  nodes: ProxiedNodes,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void => {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  // The server gives a socket here, and Node's types allow for others.
  response.assignSocket(request.socket)
  socket.on('error', () => socket.destroy())
  response.once('finish', () => socket.end())
  if (request.headers.upgrade?.toLowerCase() !== 'websocket' || hasBody(request))
    return refuse(response, 400, 'No other protocol than WebSocket is spoken here.')
  forward(nodes, { request, response, upgrade: { socket, head } })
}

const send = (node: ProxiedNode, caller: Caller, notSent: () => void): void => {
  const { request, response, upgrade } = caller
  let outgoing: ClientRequest
  try {
    const { host, port } = node.address
    const { method, url: path } = request
    const agent = upgrade === null ? node.agent : false
    outgoing = requestOf({ host, port, method, path, agent, headers: requestHeaders(request) })
  } catch {
    return refuse(response, 400, 'The request is not proper HTTP.')
  }
  const exchange = { isSent: false, isAnswered: false, isOver: false }
  node.open += 1
  const over = (): void => {
    if (exchange.isOver) return
    exchange.isOver = true
    node.open -= 1
  }
  const onConnection = (): void => {
    clearTimeout(connecting)
    if (exchange.isOver) return
    exchange.isSent = true
    node.taken += 1
    outgoing.setTimeout(ANSWER_LIMIT_MS, () => outgoing.destroy(new Error('the node does not answer')))
    if (hasBody(request)) request.pipe(outgoing)
    else outgoing.end()
  }
  const connecting = setTimeout(() => outgoing.destroy(new Error('no connection')), CONNECT_LIMIT_MS)
  outgoing.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', onConnection)
    else onConnection()
  })
  outgoing.once('response', (answer) => {
    exchange.isAnswered = true
    outgoing.setTimeout(SILENCE_LIMIT_MS)
    relay(node, answer, response, over)
  })
  outgoing.once('upgrade', (answer, socket, head) => {
    exchange.isAnswered = true
    if (upgrade === null) return void socket.destroy()
    join(answer, { socket, head }, upgrade, over)
  })
  outgoing.on('error', () => {
    clearTimeout(connecting)
    over()
    if (response.destroyed || exchange.isAnswered) return
    if (!exchange.isSent) {
      // Not asked again before it says that it is ready.
      node.isUp = false
      node.passedOn += 1
      return notSent()
    }
    node.lost += 1
    refuse(response, 502, 'The node did not answer; whether it did its work is not known.')
  })
  // A caller that has left gets nothing, and the node learns of it.
  response.once('close', () => {
    clearTimeout(connecting)
    over()
    if (!response.writableFinished) outgoing.destroy()
  })
}

const relay = (
  node: ProxiedNode,
  answer: IncomingMessage,
  response: ServerResponse,
  over: () => void,
): void => {
  response.sendDate = false
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answerHeaders(answer))
  answer.pipe(response)
  answer.once('close', () => {
    over()
    if (answer.complete) return
    // The caller must not take half of an answer for all of it.
    if (!response.destroyed) node.lost += 1
    response.destroy()
  })
}

type Side = { readonly socket: Duplex; readonly head: Buffer }

/** Both sides speak another protocol from here on, of which the proxy understands nothing. */
const join = (answer: IncomingMessage, node: Side, caller: Side, over: () => void): void => {
  const lines = [`HTTP/1.1 101 ${answer.statusMessage ?? ''}`]
  for (let index = 0; index < answer.rawHeaders.length; index += 2)
    lines.push(`${answer.rawHeaders[index]}: ${answer.rawHeaders[index + 1]}`)
  caller.socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  caller.socket.write(node.head)
  node.socket.write(caller.head)
  for (const [one, other] of [
    [node.socket, caller.socket],
    [caller.socket, node.socket],
  ] as const) {
    one.pipe(other)
    one.on('error', () => other.destroy())
    one.once('close', () => {
      over()
      other.destroy()
    })
  }
}

const refuse = (response: ServerResponse, status: 400 | 502 | 503, reason: string): void => {
  if (response.headersSent || response.destroyed) return void response.destroy()
  const error = status === 400 ? 'invalid_request' : 'unavailable'
  response.writeHead(status, {
    'Content-Type': 'application/json',
    // Whatever of the request was not read does not become the next one.
    Connection: 'close',
    ...(status === 400 ? {} : { 'Retry-After': '1' }),
  })
  response.end(JSON.stringify({ error, reason }))
}
