import { LRUCache } from 'lru-cache'
import type { Eventually } from '../../domain/eventually.ts'
import { shardDigits } from '../../domain/references.ts'
import { AskFailed } from '../../ports/actors.ts'
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
}

type Decided = Extract<TakeAnswer, { is: 'decided' }>
type Opened = { readonly epoch: number; readonly atMs: number; hasTaken: boolean }
type Left = HandedWindows & { readonly atMs: number }

/** What a caller is told that came while nobody could count its request. */
const RETRY_AFTER_MS = 1_000

/** A key without a shard would have an owner now and then, by what its letters happen to be, and none otherwise. */
const NAMES_SHARD = /^[a-z]{2,12}_[0-9a-f]{2}/

/** Windows that are counted by the owner of each key; a key begins with the id of an actor, which names the shard. */
export class ClusterRates implements RateWindows {
  readonly #ports: ClusterRatesPorts
  readonly #settings: RateSettings
  readonly #windows: LocalRateWindows
  readonly #owner: WindowOwner
  readonly #places: LentPlaces
  readonly #clock: LeaseClock
  readonly #asking = new Set<string>()
  /** Owners whose last answer did not come: until when none of the requests that wait for them asks. */
  readonly #awayUntilMs = new Map<string, number>()
  /** What was decided for other nodes lately, by the name of the question: one that comes again counts once. */
  readonly #decisions: LRUCache<string, Eventually<Decided>>
  readonly #questions: string
  #questionCount = 0
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
    this.#decisions = new LRUCache({ max: settings.decisionsMax })
    this.#questions = runtime.newId()
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
    if (!NAMES_SHARD.test(key))
      throw new RangeError('the key of a rate does not begin with the id of an actor')
    if (this.#ports.serves(shardDigits(key))) return this.#takeHere(key, rate)
    const used = this.#places.use(key)
    if (used === null) return this.#ask(key, rate)
    this.#windows.note(key, rate, this.#ports.runtime.monotonicMs())
    return { is: 'admitted', ...used }
  }

  /** What another node has counted stays counted: it would have to be asked for each refusal. */
  takeBack(key: string): void {
    if (this.#ports.serves(shardDigits(key)) || this.#places.takeBack(key)) this.#windows.takeBack(key)
  }

  opened(shard: number, epoch: number): void {
    this.#opened.set(shard, { epoch, atMs: this.#ports.runtime.monotonicMs(), hasTaken: false })
    this.#left.delete(shard)
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
    const decided = this.#owner.take({ id: '', key, rate, wish: null, used: null }, null)
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
      const decided = this.#decisions.get(take.id) ?? this.#owner.take(take, from)
      this.#decisions.set(take.id, decided)
      const decision = await decided
      return serves(shardDigits(take.key)) ? decision : elsewhere()
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
      const id = `${this.#questions} ${++this.#questionCount}`
      const decision = await this.#askOwner({ id, key, rate, wish: isAsking ? 0 : wish, used })
      if (decision !== null) return decision
      throw new AskFailed('unavailable', 'nobody counts the requests of this key now', RETRY_AFTER_MS)
    } finally {
      if (!isAsking) this.#asking.delete(key)
    }
  }

  /** Null where no owner could be asked in time. The same question comes again until then, and counts once. */
  async #askOwner(take: Take): Promise<RateDecision | null> {
    const { map, runtime } = this.#ports
    const { retryMs, retryMsMax, waitMs } = this.#settings
    const shard = shardDigits(take.key)
    const startMs = this.#clock.nowMs()
    const endMs = runtime.monotonicMs() + waitMs
    for (let pauseMs = retryMs; ; pauseMs = Math.min(pauseMs * 2, retryMsMax)) {
      const owner = map.ownerOf(shard)
      const sinceMs = this.#clock.nowMs() - startMs
      const used = take.used === null ? null : olderBy(take.used, sinceMs)
      const answer = owner === null ? null : await this.#request(owner, { ...take, used }, endMs)
      if (answer?.is === 'decided') {
        // Places that were lent count from the first time that they were asked for: the answer may be to that.
        this.#decided(take, answer, startMs, owner)
        return answer.decision
      }
      if (answer?.is === 'told') return null
      const leftMs = endMs - runtime.monotonicMs()
      if (leftMs <= 0 || this.#stop.signal.aborted) return null
      await runtime.sleep(Math.min(pauseMs, leftMs))
      const version = answer?.is === 'elsewhere' ? answer.mapVersion : undefined
      await map.refreshed(version).catch(() => undefined)
    }
  }

  /** Null where no answer came. While an owner does not answer, one of those who wait for it asks at a time. */
  async #request(owner: string, take: Take, endMs: number): Promise<TakeAnswer | null> {
    const { node, link, runtime } = this.#ports
    if (owner === node) return this.#answer(take, null)
    const { requestTimeoutMs, awayMs } = this.#settings
    const nowMs = runtime.monotonicMs()
    const awayUntilMs = this.#awayUntilMs.get(owner)
    if (awayUntilMs !== undefined && nowMs < awayUntilMs) return null
    const timeoutMs = Math.max(1, Math.min(requestTimeoutMs, endMs - nowMs))
    if (awayUntilMs !== undefined) this.#awayUntilMs.set(owner, nowMs + timeoutMs)
    try {
      const answer = decode(await link.request(owner, TAKE, encode(take), { timeoutMs }))
      this.#awayUntilMs.delete(owner)
      return answer as TakeAnswer
    } catch {
      this.#awayUntilMs.set(owner, runtime.monotonicMs() + awayMs)
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
        if (used !== null) void this.#askOwner({ id: '', key, rate, wish: null, used })
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
