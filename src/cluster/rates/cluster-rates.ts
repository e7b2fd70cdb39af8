import type { Eventually } from '../../domain/eventually.ts'
import { shardDigits } from '../../domain/references.ts'
import type { NodeLink } from '../../ports/node-link.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { ShardMapView } from '../../ports/shard-map.ts'
import type { LocalRateWindows, Rate, RateDecision, RateWindows } from '../../timing/rate-windows.ts'
import { decode, encode } from '../json-bytes.ts'
import { LeaseClock } from '../lease-clock.ts'
import { LentPlaces } from './lent-places.ts'
import {
  GIVE_BACK,
  HAND_OVER_WINDOWS,
  readHandedWindows,
  TAKE,
  type GiveBack,
  type HandedWindows,
  type Take,
  type TakeAnswer,
  type Used,
  olderBy,
} from './rate-messages.ts'
import type { RateSettings } from './settings.ts'
import { WindowOwner } from './window-owner.ts'

export type ClusterRatesPorts = {
  readonly node: string
  readonly link: Pick<NodeLink, 'handle' | 'request'>
  readonly map: Pick<ShardMapView, 'ownerOf' | 'refreshed' | 'current'>
  readonly runtime: Runtime
  /** Whether this node serves the shard, and its lease is confirmed at this moment. */
  readonly serves: (shard: number) => boolean
  /** How many nodes may admit requests of one key while its owner is away. */
  readonly nodes: () => number
}

type Decided = Extract<TakeAnswer, { is: 'decided' }>
type Opened = { readonly epoch: number; readonly atMs: number; hasTaken: boolean }
type Left = HandedWindows & { readonly atMs: number }

const AWAY_MS = 1_000

/** Windows that are counted by the owner of each key; the ids of keys are those of actors. */
export class ClusterRates implements RateWindows {
  readonly #ports: ClusterRatesPorts
  readonly #settings: RateSettings
  readonly #windows: LocalRateWindows
  readonly #owner: WindowOwner
  readonly #places: LentPlaces
  readonly #clock: LeaseClock
  readonly #asking = new Set<string>()
  readonly #awayUntilMs = new Map<string, number>()
  readonly #opened = new Map<number, Opened>()
  readonly #left = new Map<number, Left>()
  readonly #given = new Map<number, Left>()
  readonly #stop = new AbortController()

  /** `windows` also has what came through this node for keys of others. To be called before the link is started. */
  constructor(ports: ClusterRatesPorts, settings: RateSettings, windows: LocalRateWindows) {
    const { link, runtime } = ports
    this.#ports = ports
    this.#settings = settings
    this.#windows = windows
    this.#clock = new LeaseClock(runtime)
    this.#places = new LentPlaces(() => this.#clock.nowMs(), settings)
    this.#owner = new WindowOwner(
      { runtime, windows, giveBack: (...asked) => this.#askBack(...asked) },
      settings,
    )
    link.handle(TAKE, async (body, from) => encode(await this.#answer(decode(body) as Take, from)))
    link.handle(GIVE_BACK, (body) => {
      const { key, loans } = decode(body) as GiveBack
      return Promise.resolve(encode(this.#places.giveBack(key, loans)))
    })
    link.handle(HAND_OVER_WINDOWS, async (body) => {
      this.#receive(readHandedWindows(body))
      return encode(null)
    })
  }

  take(key: string, rate: Rate): Eventually<RateDecision> {
    if (this.#ports.serves(shardDigits(key))) return this.#takeHere(key, rate)
    const used = this.#places.use(key)
    if (used === null) return this.#ask(key, rate)
    this.#windows.note(key, rate, this.#ports.runtime.monotonicMs())
    return { is: 'admitted', ...used }
  }

  opened(shard: number, epoch: number): void {
    this.#opened.set(shard, { epoch, atMs: this.#ports.runtime.monotonicMs(), hasTaken: false })
    const given = this.#given.get(shard)
    this.#given.delete(shard)
    if (given !== undefined) this.#takeOver(given)
  }

  closed(shard: number, epoch: number, lastEpoch = epoch): void {
    if (this.#opened.get(shard)?.epoch !== epoch) return
    this.#opened.delete(shard)
    const windows = this.#owner.handOver((key) => shardDigits(key) === shard)
    this.#left.set(shard, { shard, epoch: lastEpoch, windows, atMs: this.#ports.runtime.monotonicMs() })
  }

  /** To be called when a shard was closed here and its next owner is known. Where it fails that owner begins anew. */
  async handOver(shard: number, to: string): Promise<void> {
    const left = this.#left.get(shard)
    this.#left.delete(shard)
    if (left === undefined || to === this.#ports.node) return
    const sinceMs = this.#ports.runtime.monotonicMs() - left.atMs
    const windows = left.windows.map((window) => ({
      ...window,
      agesMs: window.agesMs.map((ageMs) => ageMs + sinceMs),
      loans: window.loans.map((loan) => ({ ...loan, forMs: loan.forMs - sinceMs })),
    }))
    const { requestTimeoutMs: timeoutMs } = this.#settings
    await this.#ports.link.request(to, HAND_OVER_WINDOWS, encode({ ...left, windows }), { timeoutMs })
  }

  stop(): void {
    this.#stop.abort()
  }

  #takeHere(key: string, rate: Rate): Eventually<RateDecision> {
    const decided = this.#owner.take({ key, rate, wish: null, used: null }, null)
    if (!(decided instanceof Promise)) return decided.decision
    // The shard may have gone while places were asked for: then this was counted for nothing.
    return decided.then(({ decision }) =>
      this.#ports.serves(shardDigits(key)) ? decision : this.#ask(key, rate),
    )
  }

  async #answer(take: Take, from: string | null): Promise<TakeAnswer> {
    const { serves, map } = this.#ports
    const elsewhere = () => ({ is: 'elsewhere', mapVersion: map.current().version }) as const
    if (!serves(shardDigits(take.key))) return elsewhere()
    if (take.wish !== null) {
      const decided = await this.#owner.take(take, from)
      return serves(shardDigits(take.key)) ? decided : elsewhere()
    }
    if (take.used !== null) this.#owner.tell(take.key, take.used)
    return { is: 'told' }
  }

  async #ask(key: string, rate: Rate): Promise<RateDecision> {
    const wish = this.#places.wish(key)
    // Two loans of one key at once would only have to be given back.
    const isAsking = this.#asking.has(key)
    const used = isAsking ? null : this.#places.end(key)
    this.#asking.add(key)
    try {
      const decision = await this.#askOwner({ key, rate, wish: isAsking ? 0 : wish, used })
      return decision ?? this.#ownShare(key, rate)
    } finally {
      if (!isAsking) this.#asking.delete(key)
    }
  }

  /** Null where no owner can be asked. */
  async #askOwner(take: Take): Promise<RateDecision | null> {
    const { map, runtime } = this.#ports
    const { retryMs, movingMs } = this.#settings
    const shard = shardDigits(take.key)
    const startMs = this.#clock.nowMs()
    const endMs = runtime.monotonicMs() + movingMs
    for (let pauseMs = retryMs; ; pauseMs *= 2) {
      const owner = map.ownerOf(shard)
      const sentMs = this.#clock.nowMs()
      const used = take.used === null ? null : olderBy(take.used, sentMs - startMs)
      const answer = owner === null ? null : await this.#request(owner, { ...take, used })
      if (answer?.is === 'decided') {
        this.#decided(take, answer, sentMs, owner)
        return answer.decision
      }
      if (answer?.is === 'told' || (answer === null && owner !== null)) return null
      if (runtime.monotonicMs() + pauseMs > endMs) return null
      const version = answer?.is === 'elsewhere' ? answer.mapVersion : undefined
      await runtime.sleep(pauseMs)
      await map.refreshed(version).catch(() => undefined)
    }
  }

  async #request(owner: string, take: Take): Promise<TakeAnswer | null> {
    const { node, link, map, runtime } = this.#ports
    if (owner === node) return this.#answer(take, null)
    if (runtime.monotonicMs() < (this.#awayUntilMs.get(owner) ?? 0)) return null
    const { requestTimeoutMs: timeoutMs } = this.#settings
    try {
      const answer = decode(await link.request(owner, TAKE, encode(take), { timeoutMs }))
      this.#awayUntilMs.delete(owner)
      return answer as TakeAnswer
    } catch {
      // Requests do not wait one after the other for a node that hangs; the map may know of its successor.
      this.#awayUntilMs.set(owner, runtime.monotonicMs() + AWAY_MS)
      void map.refreshed().catch(() => undefined)
      return null
    }
  }

  #decided({ key, rate }: Take, { decision, loan }: Decided, sentMs: number, owner: string | null): void {
    const { node, runtime, serves } = this.#ports
    // This node may have become the owner while the request waited; then it is counted already.
    if (decision.is !== 'admitted' || owner === node || serves(shardDigits(key))) return
    this.#windows.note(key, rate, runtime.monotonicMs())
    if (loan === null || !this.#places.lent(key, loan, sentMs, decision)) return
    // What is left of it goes back when its time is over, also where the key does not come again.
    void runtime.sleep(loan.forMs, this.#stop.signal).then(
      () => {
        const used = this.#places.end(key, loan.id)
        // It may have moved meanwhile: the next owner knows of the loan.
        if (used !== null) void this.#askOwner({ key, rate, wish: null, used })
      },
      () => undefined,
    )
  }

  async #askBack(node: string, key: string, loans: readonly string[]): Promise<readonly Used[]> {
    if (node === this.#ports.node) return this.#places.giveBack(key, loans)
    const { giveBackTimeoutMs: timeoutMs } = this.#settings
    return decode(
      await this.#ports.link.request(node, GIVE_BACK, encode({ key, loans }), { timeoutMs }),
    ) as Used[]
  }

  /** The rate divided by the nodes, of which what came through this one before is a part. */
  #ownShare(key: string, rate: Rate): RateDecision {
    const max = Math.max(1, Math.floor(rate.max / Math.max(1, this.#ports.nodes())))
    return this.#windows.take(key, { ...rate, max })
  }

  #receive(handed: HandedWindows): void {
    const given = { ...handed, atMs: this.#ports.runtime.monotonicMs() }
    if (this.#opened.get(handed.shard)?.epoch === handed.epoch + 1) this.#takeOver(given)
    else this.#given.set(handed.shard, given)
  }

  #takeOver({ shard, epoch, windows, atMs }: Left): void {
    const opened = this.#opened.get(shard)
    if (opened === undefined || opened.epoch !== epoch + 1 || opened.hasTaken) return
    opened.hasTaken = true
    for (const window of windows) this.#owner.takeOver(window, atMs, opened.atMs)
  }
}
