import { LinkFailed, type LinkHandler, type NodeLink } from '../../ports/node-link.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { Log } from '../../telemetry/logger.ts'
import { withinBy } from '../../timing/within.ts'
import { SERVICE_CHARACTERS_MAX } from './batch.ts'
import { type LinkCounts, noCounts } from './link-counts.ts'
import type { LinkSettings } from './link-settings.ts'
import { onceAMinute } from './once-a-minute.ts'
import { PeerLink } from './peer-link.ts'
import type { DialOptions, Peer, ProvedWire, Transport } from './wire.ts'

export type LinkParts = {
  /** The name of this node. */
  readonly node: string
  readonly transport: Transport
  readonly runtime: Runtime
  readonly settings: LinkSettings
  readonly log: Log
  /** The living nodes and the addresses of their links, as far as this node knows them; this node may be among them. */
  readonly peers: () => readonly Peer[]
  /** Which process of its name this one is, where that can change; null while it has no name. */
  readonly incarnation?: () => string | null
}

export interface OpenLink extends NodeLink, AsyncDisposable {
  /** After every handler was said. */
  start(): Promise<void>
  counts(): Readonly<LinkCounts>
}

/** The links of this node to all others. */
export const openLink = (parts: LinkParts): OpenLink => new Link(parts)

class Link implements OpenLink {
  readonly #parts: LinkParts
  readonly #counts = noCounts()
  readonly #handlers = new Map<string, LinkHandler>()
  readonly #links = new Map<string, PeerLink>()
  /** Links to nodes that were let go and have something to finish; the same node can come back meanwhile. */
  readonly #leaving = new Set<PeerLink>()
  readonly #listeners = new Set<Parameters<NodeLink['onPeer']>[0]>()
  readonly #isToLog
  readonly #stop = new AbortController()
  #isStarted = false
  #looking: Promise<void> = Promise.resolve()
  #dials = 0
  #incarnation: string | null

  constructor(parts: LinkParts) {
    this.#parts = parts
    this.#incarnation = parts.incarnation?.() ?? null
    this.#isToLog = onceAMinute(() => parts.runtime.monotonicMs())
  }

  handle(service: string, handler: LinkHandler): void {
    if (this.#isStarted) throw new Error(`the handler of ${service} comes after the start of the link`)
    if (this.#handlers.has(service)) throw new Error(`there are two handlers of ${service}`)
    if (!/^[\x21-\x7e]+$/.test(service) || service.length > SERVICE_CHARACTERS_MAX)
      throw new Error(
        `a service has a name of 1 to ${SERVICE_CHARACTERS_MAX} plain characters, not ${service}`,
      )
    this.#handlers.set(service, handler)
  }

  async start(): Promise<void> {
    this.#isStarted = true
    await this.#parts.transport.start((proved) => this.#accepted(proved))
    this.#looking = this.#keepLooking()
  }

  request(
    node: string,
    service: string,
    body: Uint8Array,
    { timeoutMs }: { readonly timeoutMs: number },
  ): Promise<Uint8Array> {
    const link = this.#links.get(node)
    if (link !== undefined && !this.#stop.signal.aborted) return link.request(service, body, timeoutMs)
    const reason = link === undefined ? 'no such node is known' : 'this node is stopping'
    return Promise.reject(new LinkFailed(reason, true))
  }

  onPeer(listener: Parameters<NodeLink['onPeer']>[0]): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  peers(): ReturnType<NodeLink['peers']> {
    return [...this.#links.values()].map((link) => link.peer())
  }

  counts(): Readonly<LinkCounts> {
    return this.#counts
  }

  /** Nothing new is begun; what others asked may end within its limit. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#stop.signal.aborted) return
    this.#stop.abort(STOPPED)
    await this.#looking
    await this.#parts.transport.stop()
    const links = [...this.#links.values(), ...this.#leaving]
    for (const link of links) link.letGo(false)
    await Promise.all(links.map((link) => link.whenGone()))
  }

  async #keepLooking(): Promise<void> {
    const { runtime, settings } = this.#parts
    const { signal } = this.#stop
    while (!signal.aborted) {
      this.#look()
      await runtime.sleep(settings.lookMs, signal).catch(() => {})
    }
  }

  #look(): void {
    const { node: own, peers, runtime } = this.#parts
    const listed = new Map(peers().map((peer) => [peer.node, peer]))
    const nowMs = runtime.monotonicMs()
    const isAnother = this.#isAnother()
    for (const link of this.#links.values()) {
      if (isAnother) link.letGo()
      else link.look(listed.get(link.node) ?? null, nowMs)
      if (!link.isLetGo) continue
      this.#links.delete(link.node)
      this.#leaving.add(link)
    }
    for (const link of this.#leaving) if (link.isGone) this.#leaving.delete(link)
    for (const { node, address } of listed.values()) {
      if (node === own) continue
      this.#linkTo(node, address).address = address
    }
  }

  /** Whether this process has its name by another lease than before: its connections were proved for the one that is over. */
  #isAnother(): boolean {
    const { incarnation } = this.#parts
    if (incarnation === undefined) return false
    const [before, now] = [this.#incarnation, incarnation()]
    this.#incarnation = now
    return before !== null && before !== now
  }

  #accepted(proved: ProvedWire): void {
    if (this.#stop.signal.aborted) proved.wire.cut()
    else this.#linkTo(proved.node, null).adopt(proved)
  }

  #linkTo(node: string, address: string | null): PeerLink {
    const known = this.#links.get(node)
    if (known !== undefined) return known
    const { node: own, runtime, settings, log } = this.#parts
    const link = new PeerLink(node, address, {
      handlers: this.#handlers,
      runtime,
      settings,
      counts: this.#counts,
      log,
      isToLog: this.#isToLog,
      dial: own < node ? (to, options) => this.#dial({ node, address: to }, options) : null,
      changed: (isConnected) => this.#tell(node, isConnected),
    })
    this.#links.set(node, link)
    return link
  }

  #tell(node: string, isConnected: boolean): void {
    for (const listener of this.#listeners) listener({ node, isConnected })
  }

  /** A dial that succeeds after it was given up is cut. */
  async #dial(peer: Peer, options: DialOptions): Promise<ProvedWire> {
    const { transport, runtime, settings } = this.#parts
    const limit = new AbortController()
    const [startedMs, startedAt] = [runtime.monotonicMs(), runtime.now()]
    const signal = AbortSignal.any([options.signal, limit.signal])
    const dialing = transport.dial(peer, ++this.#dials, { ...options, signal })
    try {
      const proved = await withinBy(runtime, settings.dialLimitMs, dialing, () => {
        throw new Error('the node did not prove itself in time')
      })
      // After a pause of this process, or of its machine, the other side has given it up, and clocks cannot be compared.
      const tookMs = Math.max(runtime.monotonicMs() - startedMs, runtime.now() - startedAt)
      if (tookMs > settings.dialLimitMs) throw new Error('the dial took too long')
      return proved
    } catch (error) {
      limit.abort(error)
      dialing.then(
        ({ wire }) => wire.cut(),
        () => {},
      )
      throw error
    }
  }
}

const STOPPED = new Error('the link is stopped')
