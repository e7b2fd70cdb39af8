import { STATUS_CODES } from 'node:http'
import { randomBytes } from 'node:crypto'
import type { Eventually } from '../../domain/eventually.ts'
import type { Config } from '../../config/config.ts'
import type { SocketCounts, SocketsOptions } from './sockets/sockets-options.ts'

/** A request without its body: copied out of the server library, so it stays valid after the library has moved on. */
export type RequestHead = {
  readonly id: string
  /** As the caller wrote it: methods are case-sensitive. */
  readonly method: string
  /** Not decoded, without the query. */
  readonly path: string
  readonly query: string
  readonly headers: ReadonlyMap<string, string>
  /** Empty once the caller has left or is answered. */
  readonly remoteAddress: string
  /** It came to the private port and has shown the local credential. The public port never sets this. */
  readonly isLocal?: true
}

/** A header of which there are several, as with Set-Cookie, has a list. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>

/** The server adds the request id, the length and what concerns the connection. */
export type Reply = {
  readonly status: number
  readonly headers: ReplyHeaders
  /** What is left of the caller's rate. */
  readonly rate?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** The connection can't be trusted or used any further after this answer. */
  readonly close?: boolean
  /** The answer is a stream, which goes on after the head until one side ends it; `body` is empty then. */
  readonly streaming?: Streaming
}

/** An answer that is written piece by piece. The server calls one of the two methods, once. */
export type Streaming = {
  /** The head is sent. */
  start(outlet: Outlet): Flow
  /** The stream will not be sent. */
  cancel(): void
}

/** What a stream is written to. */
export type Outlet = {
  /** False: the caller has not read what is there already; nothing more before `drained`. */
  write(text: string): boolean
  /** A caller that has not read everything is cut off. */
  end(): void
}

/** What the writer of a stream gets to know: `ended` is called once, whichever side ended the stream. */
export type Flow = {
  drained(): void
  ended(): void
}

/**
 * One request, from its head to its answer. The server calls `respond` or `refuse` once, or `aborted` when the caller
 * has left.
 */
export type RequestInProgress = {
  readonly bodyBytesMax: number
  /** The answer may be a stream: a caller who sends another request on the same connection loses the connection. */
  readonly mayStream: boolean
  /**
   * Where the request comes from if no credential is asked for: bodies of such requests may take only a share of the
   * memory, and of that each network a part. Null where one is asked for.
   */
  readonly strangerFrom: string | null
  /** The organisation of the caller, once `turnAway` has found it; its bodies may take only a share of the memory. */
  readonly tenant: string | null
  /** It has a place among the large bodies of its organisation; all of them together have a share of the memory. */
  readonly isLarge: boolean
  /**
   * Called with each part of the body but the last: so many bytes have arrived. An answer is sent at once, and ends the
   * connection; null: read on.
   */
  turnAway(bytes: number): Eventually<Reply | null>
  respond(body: Uint8Array): Eventually<Reply>
  /** `reason`: what exactly is wrong, as a sentence without its full stop. */
  refuse(refusal: Refusal, reason?: string): Reply
  aborted(): void
}

/** What the server itself finds wrong while it reads a request. */
export type Refusal = 'head_too_large' | 'body_too_large' | 'body_memory_full' | 'malformed'

/** What both servers hand every request to. */
export type FrontDoor = {
  readonly accept: (head: RequestHead) => RequestInProgress
}

export interface HttpServer extends AsyncDisposable {
  readonly engine: Config['http']['engine']
  readonly port: number
  /** Null where none can be opened. */
  readonly socketCounts: SocketCounts | null
  /** Accepts no more connections; answers from now on close their connection, and streams and sockets are ended. */
  stopAccepting(): void
  /** Resolves when no request is in progress, and no message of a socket. */
  drained(): Promise<void>
}

export type ServerOptions = {
  readonly host: string
  readonly port: number
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null
  /** Memory for request bodies, over all connections. */
  readonly bodyMemoryBytesMax: number
}

/** Without `sockets` a request that wants to become one is answered like any other. */
export type StartServer = (
  options: ServerOptions,
  door: FrontDoor,
  sockets?: SocketsOptions,
) => Promise<HttpServer>

/** One sentence for the operator; thrown when the port can't be had. */
export class ListenError extends Error {
  constructor(host: string, port: number, options?: ErrorOptions) {
    super(
      `cannot listen on ${host}:${port}: another program uses the port, or the address is not of this machine`,
      options,
    )
    this.name = 'ListenError'
  }
}

export const reasonPhrase = (status: number): string => STATUS_CODES[status] ?? 'Unknown'

/** Answers with status 204 or 304 have neither a body nor a length. */
export const hasBody = (status: number): boolean => status !== 204 && status !== 304

const lines = new Map<number, string>()

/** `404 Not Found`, made once per status. */
export const statusLine = (status: number): string => {
  const known = lines.get(status)
  if (known !== undefined) return known
  const line = `${status} ${reasonPhrase(status)}`
  lines.set(status, line)
  return line
}

/**
 * Unique for each process. A counter makes the rest of an id, which is ten times cheaper than random bits for each
 * request.
 */
const ofProcess = randomBytes(10).toString('hex')
let count = 0

/** Ids are always our own: a caller who could choose one could write into our logs. */
export const newRequestId = (): string => {
  count += 1
  return `req_${ofProcess}${count.toString(16).padStart(8, '0')}`
}

/** Counts requests in progress, and tells when there are none. */
export class InFlight {
  #count = 0
  #waiting: (() => void)[] = []

  enter(): void {
    this.#count += 1
  }

  leave(): void {
    this.#count -= 1
    if (this.#count > 0) return
    for (const resolve of this.#waiting) resolve()
    this.#waiting = []
  }

  none(): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
