import type { Config } from '../../config/config.ts'

/** A request before its body: copied out of the server library, so it stays valid for as long as anyone needs it. */
export type RequestHead = {
  readonly id: string
  /** As sent: methods are case-sensitive. */
  readonly method: string
  /** Not decoded, without the query. */
  readonly path: string
  readonly query: string
  readonly headers: ReadonlyMap<string, string>
  /** Empty once the caller is gone or answered. */
  readonly remoteAddress: string
  /** It came to the private port and has shown the local credential. The public port never sets this. */
  readonly isLocal?: true
}

/** The server adds the request id, the length and what concerns the connection. */
export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** What is left of the caller's rate. */
  readonly rate?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** The connection can't be trusted or used any further after this answer. */
  readonly close?: boolean
  /** The answer goes on behind its head, for as long as both sides want; `body` is empty then. */
  readonly streaming?: Streaming
}

/** An answer that goes on. The server calls one of the two, once. */
export type Streaming = {
  /** The head is out. */
  start(outlet: Outlet): Flow
  /** Nobody wants it any more. */
  cancel(): void
}

/** The way to the caller. */
export type Outlet = {
  /** False: the caller has not read what is there already; nothing more before `drained`. */
  write(text: string): boolean
  /** A caller that has not read everything is cut off. */
  end(): void
}

/** What whoever writes is told: `ended` once, whoever ended it. */
export type Flow = {
  drained(): void
  ended(): void
}

/** One request under way. The server calls `respond` or `refuse` once, or `aborted` when the caller went away. */
export type Exchange = {
  readonly bodyBytesMax: number
  /** The answer may go on: whoever sends another request behind this one loses the connection. */
  readonly mayStream: boolean
  /** Nobody is asked who they are: such bodies have only a share of the memory. */
  readonly isForAnybody: boolean
  /** To be asked once, when a body has begun to come and is not whole. An answer: it is sent at once, and ends the connection. */
  turnAway(): Reply | null | Promise<Reply | null>
  respond(body: Uint8Array): Reply | Promise<Reply>
  /** `reason`: what exactly is wrong, as a sentence without its full stop. */
  refuse(refusal: Refusal, reason?: string): Reply
  aborted(): void
}

/** What the server itself finds wrong while it reads a request. */
export type Refusal = 'head_too_large' | 'body_too_large' | 'body_memory_full' | 'malformed'

/** Everything behind the server library: both servers hand every request to the same front door. */
export type FrontDoor = {
  readonly accept: (head: RequestHead) => Exchange
}

export interface HttpServer extends AsyncDisposable {
  readonly engine: Config['http']['engine']
  readonly port: number
  /** Takes no new connections; answers from now on close theirs, and those that go on are ended. */
  stopAccepting(): void
  /** Resolves when no request is under way any more. */
  drained(): Promise<void>
}

export type ServerOptions = {
  readonly host: string
  readonly port: number
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null
  /** Request bodies held in memory at one time, over all connections. */
  readonly bodyMemoryBytesMax: number
}

export type StartServer = (options: ServerOptions, door: FrontDoor) => Promise<HttpServer>

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
