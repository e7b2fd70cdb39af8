import { shardDigits } from '../../domain/references.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { ShardMapView } from '../../ports/shard-map.ts'
import type { Held, Hold, HoldAnswer } from './watch-messages.ts'
import type { WatchSettings } from './settings.ts'

export type KeptPorts = {
  readonly runtime: Pick<Runtime, 'sleep' | 'monotonicMs'>
  readonly map: Pick<ShardMapView, 'ownerOf' | 'refreshed'>
  /** Rejects where the node did not answer. */
  readonly hold: (node: string, holds: readonly Hold[]) => Promise<HoldAnswer>
  /** Something may have come for the mailbox that was not told here. */
  readonly mayHaveMissed: (mailbox: string) => void
}

/** What this node watches, and where it said so. */
type Kept = {
  readonly mailbox: string
  /** The owner that knows of it, as far as this node can tell. */
  knownTo: string | null
  /** What that one said last. */
  token: number
  /** How often there was a reason to say it, and up to which of them that is done. */
  reasons: number
  done: number
}

/** The holder's side: each mailbox is known to its owner, or will be as soon as that one can be asked. */
export class KeptWatches {
  readonly #ports: KeptPorts
  readonly #settings: WatchSettings
  readonly #kept = new Map<string, Kept>()
  /** Those of them about which something is to be said. */
  readonly #due = new Set<Kept>()
  readonly #stop = new AbortController()
  #wake = new AbortController()
  #isKeeping = false

  constructor(ports: KeptPorts, settings: WatchSettings) {
    this.#ports = ports
    this.#settings = settings
  }

  get size(): { readonly kept: number; readonly due: number } {
    return { kept: this.#kept.size, due: this.#due.size }
  }

  /** Resolves when the owner knows of it, or could not be asked: then it is asked again, and what was missed is told. */
  async keep(mailbox: string): Promise<void> {
    const before = this.#kept.get(mailbox)
    if (before !== undefined && before.reasons === before.done) return
    const kept = before ?? { mailbox, knownTo: null, token: 0, reasons: 0, done: 0 }
    this.#kept.set(mailbox, kept)
    this.#isToSay(kept)
    if (!this.#isKeeping) void this.#keepAll()
    // Whoever is the first to watch it reads it afterwards.
    await this.#say([kept], before !== undefined)
    // The loop may have gone to sleep when there was nothing to say.
    if (this.#due.has(kept)) this.#wakeUp()
  }

  letGo(mailbox: string): void {
    const kept = this.#kept.get(mailbox)
    if (kept === undefined) return
    this.#kept.delete(mailbox)
    this.#due.delete(kept)
  }

  /** Shards may have moved. */
  lookWhere(): void {
    for (const kept of this.#kept.values())
      if (this.#ports.map.ownerOf(shardDigits(kept.mailbox)) !== kept.knownTo) this.#isToSay(kept)
    this.#wakeUp()
  }

  /** What the node was told, or told here, on an earlier connection may have been lost. */
  connectedWith(node: string): void {
    for (const kept of this.#kept.values()) if (kept.knownTo === node) this.#isToSay(kept)
    this.#wakeUp()
  }

  stop(): void {
    this.#stop.abort(STOPPED)
    this.#wake.abort(STOPPED)
  }

  #isToSay(kept: Kept): void {
    kept.reasons += 1
    this.#due.add(kept)
  }

  #wakeUp(): void {
    if (this.#due.size > 0) this.#wake.abort(WOKEN)
  }

  /** Runs for as long as anything is watched. */
  async #keepAll(): Promise<void> {
    const { runtime } = this.#ports
    const { renewMs, retryMs, retryMsMax } = this.#settings
    this.#isKeeping = true
    let renewAtMs = runtime.monotonicMs() + renewMs
    for (let pauseMs = retryMs; this.#kept.size > 0 && !this.#stop.signal.aborted; ) {
      const untilRenewalMs = Math.max(0, renewAtMs - runtime.monotonicMs())
      await this.#pause(this.#due.size > 0 ? Math.min(pauseMs, untilRenewalMs) : untilRenewalMs)
      if (this.#stop.signal.aborted) break
      if (runtime.monotonicMs() >= renewAtMs) {
        for (const kept of this.#kept.values()) this.#isToSay(kept)
        renewAtMs = runtime.monotonicMs() + renewMs
      }
      await this.#say([...this.#due], true)
      pauseMs = this.#due.size > 0 ? Math.min(pauseMs * 2, retryMsMax) : retryMs
    }
    this.#isKeeping = false
  }

  async #pause(ms: number): Promise<void> {
    this.#wake = new AbortController()
    await this.#ports.runtime.sleep(ms, this.#wake.signal).catch(() => undefined)
  }

  /** To each owner what is its own, one request after the other. */
  async #say(all: readonly Kept[], tellsNew: boolean): Promise<void> {
    const byOwner = Map.groupBy(all, ({ mailbox }) => this.#ports.map.ownerOf(shardDigits(mailbox)))
    const { namesMax } = this.#settings
    await Promise.all(
      [...byOwner].map(async ([owner, kept]) => {
        if (owner === null) return
        for (let from = 0; from < kept.length; from += namesMax)
          if (!(await this.#sayTo(owner, kept.slice(from, from + namesMax), tellsNew))) return
      }),
    )
  }

  /** False where the owner did not answer. */
  async #sayTo(owner: string, all: readonly Kept[], tellsNew: boolean): Promise<boolean> {
    const { hold, map } = this.#ports
    const reasons = all.map((each) => each.reasons)
    const holds = all.map(({ mailbox, knownTo, token }): Hold => [mailbox, knownTo === owner ? token : 0])
    const answer = await hold(owner, holds).catch(() => null)
    if (answer === null) return false
    for (const [index, kept] of all.entries()) {
      const held = answer.held[index]
      if (held !== undefined) this.#heard(kept, owner, held, reasons[index] ?? 0, tellsNew)
    }
    if (answer.held.some(({ is }) => is === 'elsewhere'))
      await map.refreshed(answer.mapVersion).catch(() => undefined)
    return true
  }

  #heard(kept: Kept, owner: string, { is, token }: Held, reasons: number, tellsNew: boolean): void {
    if (this.#kept.get(kept.mailbox) !== kept || is === 'elsewhere') return
    kept.knownTo = owner
    kept.token = token
    kept.done = Math.max(kept.done, reasons)
    if (kept.done === kept.reasons) this.#due.delete(kept)
    // Where there is no room for it at the owner, whoever watches looks each time that it was asked.
    if (is === 'full' || (is === 'new' && tellsNew)) this.#ports.mayHaveMissed(kept.mailbox)
  }
}

/** Created once: each abort would make an error with its stack. */
const STOPPED = new Error('nothing is watched any more')
const WOKEN = new Error('there is something to say')
