import { Pool, buildConnector, type Dispatcher } from 'undici'
import { isGlobal } from './address.ts'
import { EgressFailed, EgressRefused } from './failures.ts'
import { lookupAmong, Names, systemNames } from './names.ts'
import { SocketMessages } from './socket-messages.ts'
import { notPublic, type TargetSettings, targetOf } from './target.ts'
import { type EgressProxy, Tunnels } from './tunnels.ts'
import { type WholeAnswer, WholeAnswerReader } from './whole-answer.ts'

type OutboundLimits = {
  /** Measured from the connect to the last byte of the answer. */
  readonly timeoutMs: number
  readonly answerBytesMax: number
  readonly signal: AbortSignal
}

export type OutboundPost = OutboundLimits & {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type OutboundCall = OutboundLimits & {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

export type OutboundAnswer = { readonly status: number; readonly body: string; readonly durationMs: number }

export type EgressSettings = TargetSettings & {
  readonly socketsPerHostMax: number
  /** What everything goes through; none: straight out. */
  readonly proxy?: EgressProxy | null
}

const CONNECT_TIMEOUT_MS = 10_000
/** How long an idle connection is kept, unless the receiver announces a shorter time. */
const KEEP_ALIVE_MS = 30_000

/** The only way out to addresses that tenants or wallets chose. A redirect is an answer and is not followed. */
export class Outbound implements Disposable {
  readonly #settings: EgressSettings
  readonly #names: Names
  readonly #pools: Pools
  /** For what takes a WebSocket alone. */
  readonly sockets: SocketMessages

  /** `names` is where its names are looked up, and closed with it. */
  constructor(
    settings: EgressSettings,
    names = new Names({ ...systemNames, searchesDomains: settings.allowPrivateTargets }),
  ) {
    const { allowPrivateTargets, proxy = null } = settings
    const isAllowed = (address: string): boolean => allowPrivateTargets || isGlobal(address)
    const tunnels = proxy === null ? null : new Tunnels(proxy, names, isAllowed)
    this.#settings = settings
    this.#names = names
    this.sockets = new SocketMessages(settings, names, tunnels)
    this.#pools = new Pools({
      connections: settings.socketsPerHostMax,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      // The whole call has a time limit below.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: tunnels?.connector ?? connectorFor(settings, names),
    })
  }

  async post(request: OutboundPost): Promise<OutboundAnswer> {
    const startedMs = performance.now()
    const reader = new AnswerReader(request.answerBytesMax)
    const { status, body } = await this.#send({ ...request, method: 'POST' }, reader)
    return { status, body, durationMs: Math.round(performance.now() - startedMs) }
  }

  /** For answers that are wanted whole, with their headers; one that is longer than allowed is a failure. */
  call(request: OutboundCall): Promise<WholeAnswer> {
    return this.#send(request, new WholeAnswerReader(request.answerBytesMax))
  }

  [Symbol.dispose](): void {
    this.#pools.destroy()
    this.#names[Symbol.dispose]()
  }

  async #send<Answer>(request: OutboundCall, reader: Reader<Answer>): Promise<Answer> {
    const url = targetOf(request.url, this.#settings)
    try {
      return await this.#dispatch(url, request, reader)
    } catch (error) {
      if (error instanceof EgressRefused || error instanceof EgressFailed) throw error
      throw new EgressFailed(reasonOf(error), { cause: error })
    }
  }

  #dispatch<Answer>(url: URL, request: OutboundCall, reader: Reader<Answer>): Promise<Answer> {
    const { method, headers, body, signal, timeoutMs } = request
    if (signal.aborted) return Promise.reject(givenUp())
    // A timer by hand, because a signal combined from the caller's and a clock's costs more than the rest of a short
    // call.
    const timer = setTimeout(
      () => reader.giveUp(new EgressFailed(`no answer within ${timeoutMs} ms`)),
      timeoutMs,
    )
    const abort = (): void => reader.giveUp(givenUp())
    signal.addEventListener('abort', abort, { once: true })
    const path = `${url.pathname}${url.search}`
    this.#pools.of(url.origin).dispatch({ path, method, headers, body }, reader)
    return reader.answer.finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    })
  }
}

type Reader<Answer> = Dispatcher.DispatchHandler & {
  readonly answer: Promise<Answer>
  giveUp(error: Error): void
}

/** Connects to exactly the address that was checked: there is no second resolution that could give another one. */
const connectorFor = ({ allowPrivateTargets }: EgressSettings, names: Names): buildConnector.connector => {
  const lookup = lookupAmong(names, (address) => allowPrivateTargets || isGlobal(address))
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup })
  if (allowPrivateTargets) return connect
  return (options, callback) =>
    connect(options, (...outcome) => {
      const [error, socket] = outcome
      if (error !== null) return callback(...outcome)
      // The resolver's answer was checked; this is the address that the connection really ended at. A closed one has
      // none.
      const { remoteAddress } = socket
      if (remoteAddress === undefined || isGlobal(remoteAddress)) return callback(...outcome)
      socket.destroy()
      callback(notPublic(), null)
    })
}

const givenUp = (): EgressFailed => new EgressFailed('the call was given up')

const reasonOf = (error: unknown): string => {
  const code = (error as NodeJS.ErrnoException).code
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed'
}

/** Reads as much of an answer as is kept, and closes the connection on a longer one. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  readonly answer: Promise<{ readonly status: number; readonly body: string }>
  readonly #bytesMax: number
  readonly #settle = Promise.withResolvers<{ readonly status: number; readonly body: string }>()
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #status = 0
  #over: Error | null = null
  #controller: Dispatcher.DispatchController | null = null

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
    this.answer = this.#settle.promise
  }

  /** May be called before the call has a connection, which is then not made. */
  giveUp(error: Error): void {
    this.#over ??= error
    this.#settle.reject(error)
    this.#controller?.abort(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#over !== null) controller.abort(this.#over)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    this.#status = status
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes < this.#bytesMax) return
    this.onResponseEnd()
    controller.abort(new Error('the rest of the answer is not wanted'))
  }

  onResponseEnd(): void {
    const body = Buffer.concat(this.#chunks).subarray(0, this.#bytesMax).toString('utf8')
    this.#settle.resolve({ status: this.#status, body })
  }

  onResponseError(_: unknown, error: Error): void {
    this.#settle.reject(error)
  }
}

/** The most pools; beyond that the least recently used idle one is closed, and pools with calls stay. */
const POOLS_MAX = 1_024

/**
 * The connections to each host. The library's own agent opens a second pool for a host when a connection closes while
 * calls wait, so that its limit on connections would not hold for the host.
 */
export class Pools {
  readonly #options: Pool.Options
  /** In the order of their last use. */
  readonly #pools = new Map<string, Pool>()

  constructor(options: Pool.Options) {
    this.#options = options
  }

  get size(): number {
    return this.#pools.size
  }

  of(origin: string): Pool {
    const known = this.#pools.get(origin)
    if (known !== undefined) this.#pools.delete(origin)
    else if (this.#pools.size >= POOLS_MAX) this.#dropIdle()
    const pool = known ?? new Pool(origin, this.#options)
    this.#pools.set(origin, pool)
    return pool
  }

  destroy(): void {
    for (const pool of this.#pools.values()) pool.destroy().catch(() => undefined)
    this.#pools.clear()
  }

  #dropIdle(): void {
    for (const [origin, pool] of this.#pools) {
      if (pool.stats.size > 0) continue
      this.#pools.delete(origin)
      pool.close().catch(() => undefined)
      return
    }
  }
}
