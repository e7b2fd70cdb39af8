import type { Config } from '../config/config.ts'

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
}

/** One request under way. The server calls `respond` or `refuse` once, or `aborted` when the caller went away. */
export type Exchange = {
  readonly bodyBytesMax: number
  respond(body: Uint8Array): Reply | Promise<Reply>
  /** `reason`: what exactly is wrong, as a sentence without its full stop. */
  refuse(refusal: Refusal, reason?: string): Reply
  aborted(): void
}

/** What the server itself finds wrong while it reads a request. */
export type Refusal = 'body_too_large' | 'body_memory_full' | 'malformed'

/** Everything behind the server library: both servers hand every request to the same front door. */
export type FrontDoor = {
  readonly accept: (head: RequestHead) => Exchange
}

export interface HttpServer extends AsyncDisposable {
  readonly engine: Config['http']['engine']
  readonly port: number
  /** Takes no new connections; answers from now on close theirs. */
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
