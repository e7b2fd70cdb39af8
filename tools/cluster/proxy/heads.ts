import type { IncomingMessage } from 'node:http'

/** Headers of one connection alone, which end at the proxy. */
const OF_ONE_CONNECTION = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** What callers may not say of themselves: the proxy is the first that knows it. */
const SAID_HERE = new Set(['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'])

type Pairs = readonly (readonly [string, string])[]

const pairsOf = ({ rawHeaders }: IncomingMessage): Pairs =>
  rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : []))

/** The headers that go on, doubled ones as often as they came. */
const passedOn = (message: IncomingMessage): Pairs => {
  const named = (message.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  return pairsOf(message).filter(([name]) => {
    const lower = name.toLowerCase()
    return !OF_ONE_CONNECTION.has(lower) && !named.includes(lower)
  })
}

/** The headers of a request to a node, as one flat list. */
export const requestHeaders = (request: IncomingMessage): string[] => {
  const headers: [string, string][] = passedOn(request)
    .filter(([name]) => !SAID_HERE.has(name.toLowerCase()))
    .map(([name, value]) => [name, value])
  headers.push(['X-Forwarded-For', request.socket.remoteAddress ?? ''], ['X-Forwarded-Proto', 'https'])
  const { upgrade } = request.headers
  if (upgrade !== undefined) headers.push(['Connection', 'Upgrade'], ['Upgrade', upgrade])
  else if (request.headers['transfer-encoding'] !== undefined) headers.push(['Transfer-Encoding', 'chunked'])
  // Without this Node would announce a body of pieces for a POST that has none.
  else if (request.headers['content-length'] === undefined && !BODILESS.has(request.method ?? ''))
    headers.push(['Content-Length', '0'])
  return headers.flat()
}

const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The headers of a node's answer to the caller, as one flat list. */
export const answerHeaders = (answer: IncomingMessage): string[] => passedOn(answer).flat()
