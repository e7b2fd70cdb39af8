import { LinkFailed, type LinkHandler, type LinkPeer } from '../../ports/node-link.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { Log } from '../../telemetry/logger.ts'
import { backoffMs } from '../../timing/backoff.ts'
import { Connection, type End } from './connection.ts'
import type { LinkCounts } from './link-counts.ts'
import type { LinkSettings } from './link-settings.ts'
import type { OnceAMinute } from './once-a-minute.ts'
import { type DialOptions, LinkRefused, type Peer, type ProvedWire } from './wire.ts'

export type PeerLinkParts = {
  readonly handlers: ReadonlyMap<string, LinkHandler>
  readonly runtime: Runtime
  readonly settings: LinkSettings
  readonly counts: LinkCounts
  readonly log: Log
  readonly isToLog: OnceAMinute
  /** Null where the other node is the one that dials. */
  readonly dial: ((address: string, options: DialOptions) => Promise<ProvedWire>) | null
  readonly changed: (isConnected: boolean) => void
}

const planned: ReadonlySet<End> = new Set<End>(['goodbye', 'replaced', 'revoked'])

/**
 * What joins this node to one other. Of the two, the one with the smaller name dials, and nobody else, so that there
 * are never two dials to choose from. There is one connection that requests take, and at most one more, which was
 * replaced and finishes what it had begun. A request is given to one connection, once; what becomes of it is told to
 * the caller, and never repeated here.
 */
export class PeerLink {
  readonly node: string
  address: string | null
  readonly #parts: PeerLinkParts
  #current: Connection | null = null
  #retiring: Connection | null = null
  #latest: ProvedWire | null = null
  #revokedSinceMs: number | null = null
  /** Since when the node's lease has belonged to another process than the one that is connected. */
  #otherSinceMs: number | null = null
  #wasRefused = false
  #stateSinceMs: number
  #failures = 0
  #wasListed: boolean
  readonly #letGo = new AbortController()
  #wake = new AbortController()

  constructor(node: string, address: string | null, parts: PeerLinkParts) {
    this.node = node
    this.address = address
    this.#wasListed = address !== null
    this.#parts = parts
    this.#stateSinceMs = parts.runtime.now()
    if (parts.dial !== null) void this.#keepDialed(parts.dial)
  }

  get isLetGo(): boolean {
    return this.#letGo.signal.aborted
  }

  get isGone(): boolean {
    return this.isLetGo && this.#current === null && this.#retiring === null
  }

  request(service: string, body: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    if (this.#current !== null) return this.#current.request(service, body, timeoutMs)
    return Promise.reject(new LinkFailed('there is no connection to the node', true))
  }

  peer(): LinkPeer {
    const waiting = (this.#current?.waiting ?? 0) + (this.#retiring?.waiting ?? 0)
    const apart = this.#wasRefused ? 'refused' : 'connecting'
    const state = this.#current === null ? apart : 'connected'
    const speaks = this.#latest?.speaks ?? null
    return { node: this.node, state, sinceMs: this.#stateSinceMs, speaks, waiting }
  }

  /** A later connection takes the place of an earlier one, which the one who dialed has given up or lets end. */
  adopt(proved: ProvedWire): void {
    const isOther = this.#latest?.incarnation !== proved.incarnation
    if (this.#letGo.signal.aborted || (!isOther && proved.dial <= (this.#latest?.dial ?? 0)))
      return proved.wire.cut()
    const before = this.#current
    this.#retiring?.cut('replaced')
    if (before === null || isOther) this.#stateSinceMs = this.#parts.runtime.now()
    const connection = this.#connectionOver(proved)
    this.#latest = proved
    this.#current = connection
    this.#wasRefused = false
    if (isOther) before?.cut('replaced')
    else {
      this.#retiring = before
      before?.retire()
    }
    connection.start()
    this.#parts.counts.connected++
    this.#logged('link.connected', null)
    this.#parts.changed(true)
  }

  /** Lets what is under way end, and takes no new connection. A node that stops waits for no answers any more. */
  letGo(waitsForAnswers = true): void {
    if (this.#letGo.signal.aborted) return
    this.#letGo.abort(LET_GO)
    this.#wake.abort(LET_GO)
    if (!waitsForAnswers) for (const each of [this.#current, this.#retiring]) each?.forgetAsked()
    if (this.#current !== null) this.#retire(this.#current)
  }

  /** Called every now and then: a node that is listed nowhere is let go, a withdrawn secret ends its connections. */
  look(listed: Peer | null, nowMs: number): void {
    const { settings } = this.#parts
    if (listed !== null) this.#wasListed = true
    const sinceMs = this.#current?.sinceMs ?? Number.NEGATIVE_INFINITY
    if (listed === null && (this.#wasListed || nowMs - sinceMs > settings.unlistedMs)) return this.letGo()
    this.#lookWhose(listed?.incarnation ?? null, nowMs)
    if (this.#current?.proved.secretState() !== 'revoked') this.#revokedSinceMs = null
    else this.#revokedSinceMs ??= nowMs
    if (this.#revokedSinceMs !== null && nowMs - this.#revokedSinceMs > settings.revokedMs)
      this.#current?.cut('revoked')
  }

  /** The list may be older than the connection, but not for long. */
  #lookWhose(incarnation: string | null, nowMs: number): void {
    const isOther =
      this.#current !== null && incarnation !== null && incarnation !== this.#current.proved.incarnation
    this.#otherSinceMs = isOther ? (this.#otherSinceMs ?? nowMs) : null
    if (this.#otherSinceMs !== null && nowMs - this.#otherSinceMs > this.#parts.settings.otherProcessMs)
      this.#current?.cut('replaced')
  }

  /** Resolves when nothing is under way any more. */
  async whenGone(): Promise<void> {
    await Promise.all([this.#current?.whenOver(), this.#retiring?.whenOver()])
  }

  #connectionOver(proved: ProvedWire): Connection {
    const { handlers, runtime, settings, counts } = this.#parts
    const connection: Connection = new Connection({
      proved,
      handlers,
      runtime,
      settings,
      counts,
      leaving: () => {
        if (this.#current === connection) this.#retire(connection)
      },
      ended: (end) => this.#ended(connection, end),
    })
    return connection
  }

  #retire(connection: Connection): void {
    this.#retiring?.cut('replaced')
    this.#retiring = connection
    connection.retire()
    this.#currentLost()
  }

  #ended(connection: Connection, end: End): void {
    const { runtime, settings, counts } = this.#parts
    if (!planned.has(end)) counts.lost++
    if (end !== 'goodbye') this.#logged('link.lost', end)
    if (this.#retiring === connection) this.#retiring = null
    if (this.#current !== connection) return
    const isSettled = runtime.monotonicMs() - connection.sinceMs >= settings.settledMs
    this.#failures = isSettled ? 1 : this.#failures + 1
    this.#currentLost()
  }

  #currentLost(): void {
    this.#current = null
    this.#stateSinceMs = this.#parts.runtime.now()
    this.#wake.abort(WOKEN)
    this.#parts.changed(false)
  }

  async #keepDialed(dial: NonNullable<PeerLinkParts['dial']>): Promise<void> {
    const { runtime, settings } = this.#parts
    const { signal } = this.#letGo
    while (!signal.aborted) {
      if (this.#current?.proved.secretState() === 'current') {
        this.#wake = new AbortController()
        await runtime.sleep(settings.lookMs, this.#wake.signal).catch(() => {})
        continue
      }
      if (this.#failures > 0) {
        const pause = { firstMs: settings.redialFirstMs, maxMs: settings.redialMaxMs }
        await runtime.sleep(backoffMs(pause, this.#failures, runtime.random()), signal).catch(() => {})
      }
      if (!signal.aborted) await this.#dialOnce(dial)
    }
  }

  async #dialOnce(dial: NonNullable<PeerLinkParts['dial']>): Promise<void> {
    const { counts } = this.#parts
    try {
      // What is there already is as good as one with the same secret.
      const mayBeOld = this.#current === null
      const proved = await dial(this.address ?? '', { signal: this.#letGo.signal, mayBeOld })
      // A connection that is only replaced has not failed; one that was lost soon keeps its count.
      if (this.#current !== null) this.#failures = 0
      this.adopt(proved)
    } catch (error) {
      if (this.#letGo.signal.aborted) return
      this.#failures++
      counts.dialsFailed++
      this.#noteRefused(error instanceof LinkRefused)
      if (error instanceof LinkRefused) this.#logged('link.refused', error.why)
      else this.#logged('link.dial_failed', null, error)
    }
  }

  #noteRefused(wasRefused: boolean): void {
    if (wasRefused !== this.#wasRefused && this.#current === null)
      this.#stateSinceMs = this.#parts.runtime.now()
    this.#wasRefused = wasRefused
  }

  #logged(
    event: 'link.connected' | 'link.lost' | 'link.refused' | 'link.dial_failed',
    code: string | null,
    error: unknown = null,
  ): void {
    const { log, isToLog } = this.#parts
    const count = isToLog(`${event} ${this.node} ${code}`)
    if (count !== null) log(event, { node: this.node, code, count, error })
  }
}

/** Created once: without a reason every end would create an error with its stack. */
const WOKEN = new Error('the connection has changed')
const LET_GO = new Error('the node is let go')
