import type { LookupAddress } from 'node:dns'
import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { isIP } from 'node:net'
import { isGlobal } from './address.ts'
import { EgressFailed, EgressRefused } from './failures.ts'

export type OutboundPost = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** From connect to the last byte of the answer. */
  readonly timeoutMs: number
  readonly answerBytesMax: number
  readonly signal: AbortSignal
}

export type OutboundAnswer = { readonly status: number; readonly body: string; readonly durationMs: number }

export type EgressSettings = {
  /** For development only: private addresses and plain http are allowed. */
  readonly allowPrivateTargets: boolean
  readonly socketsPerHostMax: number
}

/** The only way out to addresses that somebody else chose: webhooks and wallets. Redirects are answers, not followed. */
export class Outbound implements Disposable {
  readonly #settings: EgressSettings
  readonly #http: http.Agent
  readonly #https: https.Agent

  constructor(settings: EgressSettings) {
    this.#settings = settings
    const options = {
      keepAlive: true,
      maxSockets: settings.socketsPerHostMax,
      maxFreeSockets: 16,
      timeout: 30_000,
    }
    this.#http = new http.Agent(options)
    this.#https = new https.Agent(options)
  }

  async post(request: OutboundPost): Promise<OutboundAnswer> {
    const url = this.#check(request.url)
    const startedMs = performance.now()
    try {
      const answer = await this.#send(url, request)
      return { ...answer, durationMs: Math.round(performance.now() - startedMs) }
    } catch (error) {
      if (error instanceof EgressRefused || error instanceof EgressFailed) throw error
      throw new EgressFailed(reasonOf(error), { cause: error })
    }
  }

  [Symbol.dispose](): void {
    this.#http.destroy()
    this.#https.destroy()
  }

  #check(text: string): URL {
    if (!URL.canParse(text)) throw new EgressRefused('the URL cannot be read')
    const url = new URL(text)
    const { allowPrivateTargets } = this.#settings
    if (url.protocol !== 'https:' && !(allowPrivateTargets && url.protocol === 'http:')) {
      throw new EgressRefused('the URL must begin with https')
    }
    if (url.username !== '' || url.password !== '')
      throw new EgressRefused('the URL must not hold a password')
    // Literal addresses never reach the resolver.
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !allowPrivateTargets && !isGlobal(host)) throw notPublic()
    return url
  }

  #send(url: URL, request: OutboundPost): Promise<Omit<OutboundAnswer, 'durationMs'>> {
    const { allowPrivateTargets } = this.#settings
    const secure = url.protocol === 'https:'
    return new Promise((resolve, reject) => {
      if (request.signal.aborted) throw givenUp()
      const outgoing = (secure ? https : http).request(url, {
        method: 'POST',
        agent: secure ? this.#https : this.#http,
        headers: { ...request.headers, 'Content-Length': Buffer.byteLength(request.body) },
        lookup: allowPrivateTargets ? dns.lookup : globalLookup,
      })
      boundInTime(outgoing, request, reject)
      outgoing.on('error', reject)
      outgoing.on('socket', (socket: Socket) => {
        if (allowPrivateTargets) return
        // The resolver's answer was checked; this is what the connection really ended at.
        const check = (): void => {
          if (socket.remoteAddress !== undefined && !isGlobal(socket.remoteAddress))
            outgoing.destroy(notPublic())
        }
        if (socket.connecting) socket.once('connect', check)
        else check()
      })
      outgoing.on(
        'response',
        (answer) => void readAnswer(answer, request.answerBytesMax).then(resolve, reject),
      )
      outgoing.end(request.body)
    })
  }
}

/** By hand: a signal made of the caller's and a clock's costs more than all the rest of a short call. */
const boundInTime = (
  outgoing: http.ClientRequest,
  { signal, timeoutMs }: OutboundPost,
  reject: (error: Error) => void,
): void => {
  const end = (error: Error): void => {
    reject(error)
    outgoing.destroy(error)
  }
  const timer = setTimeout(() => end(new EgressFailed(`no answer within ${timeoutMs} ms`)), timeoutMs)
  const abort = (): void => end(givenUp())
  signal.addEventListener('abort', abort, { once: true })
  outgoing.on('close', () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  })
}

const givenUp = (): EgressFailed => new EgressFailed('the call was given up')

/** Reads no more than is kept; an answer that is longer has been heard enough of. */
const readAnswer = async (
  answer: http.IncomingMessage,
  bytesMax: number,
): Promise<Omit<OutboundAnswer, 'durationMs'>> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= bytesMax) break
  }
  return {
    status: answer.statusCode ?? 0,
    body: Buffer.concat(chunks).subarray(0, bytesMax).toString('utf8'),
  }
}

const notPublic = (): EgressRefused => new EgressRefused('the address is not a public one')

/** The connection goes to exactly the address that was checked: there is no second resolution to rebind. */
const globalLookup: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return callback(error, '', 0)
    const usable = addresses.filter(({ address }) => isGlobal(address))
    const [first] = usable
    if (!first) return callback(notPublic(), '', 0)
    if (options.all)
      return (callback as unknown as (error: null, addresses: LookupAddress[]) => void)(null, usable)
    callback(null, first.address, first.family)
  })
}

const reasonOf = (error: unknown): string => {
  const code = (error as NodeJS.ErrnoException).code
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed'
}
