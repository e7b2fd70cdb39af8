import { shardOfActor } from '../../domain/references.ts'
import { AskFailed } from '../../ports/actors.ts'
import type { Directory, ListQuery } from '../../ports/directory.ts'
import type { DueQuery, ListOverviews, OverviewQuery } from '../../ports/list-overview.ts'
import { epochOfRev, type Rev } from '../../ports/list-replicas.ts'
import { withinBy } from '../../timing/within.ts'
import { Alarm } from './alarm.ts'
import { catchUp } from './catching-up.ts'
import { Currency } from './currency.ts'
import { Following } from './following.ts'
import { Held } from './held.ts'
import { askNode } from './intake.ts'
import { type ErasedRows, type Messages, type ShardKeys, type Shown, unpacked } from './messages.ts'
import { OwnShards } from './own-shards.ts'
import { ownerAnswer } from './owner-answer.ts'
import {
  type ClusterListsPorts,
  type ClusterListsSettings,
  clusterListsDefaults,
  type Context,
} from './ports.ts'
import { RecentChanges } from './recent-changes.ts'
import { Source } from './source.ts'
import { Whole } from './whole.ts'

const RETRY_AFTER_MS = 1_000
const OVER = new Error('the lists have waited long enough')

/** How this node's own file answers each. */
type Read = { readonly [Name in keyof Shown]: (query: Messages[Name]) => Promise<Shown[Name]> }

/** Lists of all records on every node: each has the rows of all shards in its own file, which follows their owners'. */
export class ClusterLists implements Directory, ListOverviews, AsyncDisposable {
  readonly #ports: ClusterListsPorts
  readonly #settings: ClusterListsSettings
  readonly #read: Read
  readonly #held: Held
  readonly #recent: RecentChanges
  readonly #whole: Whole
  readonly #own: OwnShards
  readonly #source: Source
  readonly #following: Following
  readonly #currency: Currency
  readonly #closed = new AbortController()
  /** The file has said up to where it has each shard. */
  readonly #known = Promise.withResolvers<void>()
  readonly #look: Alarm
  readonly #looking: Promise<void>
  #waiting = 0

  /** Before the link is started: requests of other nodes are handled from here on. */
  constructor(ports: ClusterListsPorts, settings: Partial<ClusterListsSettings> = {}) {
    this.#ports = ports
    this.#settings = { ...clusterListsDefaults, ...settings }
    this.#read = {
      'lists.page': (query) => ports.list(query),
      'lists.overview': (query) => ports.overview(query),
      'lists.due': (query) => ports.due(query),
    }
    this.#held = new Held(ports.shards)
    this.#recent = new RecentChanges(this.#settings.recentMax)
    this.#whole = new Whole(ports.shards, ports.session)
    const [held, recent, whole] = [this.#held, this.#recent, this.#whole]
    const context = { ports, settings: this.#settings, held, recent, whole }
    this.#own = new OwnShards({
      ...context,
      catchUp: (shards) => this.#catchUp(shards),
      changed: () => this.#source.changed(),
      read: () => this.#source.read(),
    })
    const own = this.#own
    this.#source = new Source({ ...context, own, shown: (name, query) => this.#shownHere(name, query) })
    this.#following = new Following({ ...context, isOwn: (shard) => own.isRead(shard) })
    this.#currency = new Currency({ ...context, own, look: () => this.#following.look() })
    this.#look = new Alarm(ports.runtime)
    this.#looking = this.#lookAgainAndAgain()
  }

  get #context(): Context {
    return { ports: this.#ports, settings: this.#settings }
  }

  /** What the projector needs in a cluster. */
  readonly termOf: OwnShards['epochOf'] = (shard) => this.#own.epochOf(shard)
  readonly forgettable: OwnShards['forgettable'] = (...at) => this.#own.forgettable(...at)
  readonly write: OwnShards['write'] = (...written) => this.#own.write(...written)

  isComplete(): boolean {
    return this.#following.isComplete()
  }

  list(query: ListQuery): Promise<Shown['lists.page']> {
    return this.#shown('lists.page', query)
  }

  overview(query: OverviewQuery): Promise<Shown['lists.overview']> {
    return this.#shown('lists.overview', query)
  }

  due(query: DueQuery): Promise<Shown['lists.due']> {
    return this.#shown('lists.due', query)
  }

  async #shown<Name extends keyof Shown>(name: Name, query: Messages[Name]): Promise<Shown[Name]> {
    if (!this.#ports.mayServe()) throw unavailable('the lease of this node is not confirmed')
    return this.isComplete() ? this.#shownHere(name, query) : this.#shownElsewhere(name, query)
  }

  /** Resolves when all that was committed, of a record or of all, is in this node's lists. */
  caughtUp(): Promise<void> {
    return this.#currency.require(null)
  }

  /** Resolves when this node's lists show the record as it is now. */
  caughtUpWith(recordId: string): Promise<void> {
    const shard = shardOfActor(recordId)
    const settled = async (node: string | null): Promise<Rev> =>
      node === null
        ? this.#source.settled(shard)
        : (unpacked(await askNode(this.#context, node, 'lists.settled', { shard })) as Rev)
    return this.#strictly(async (signal) => {
      for (;;) {
        const rev = await ownerAnswer(this.#context, settled, signal)
        this.#following.look()
        await this.#held.reached([{ shard, rev }], signal)
        // A later owner may have begun without the change, and tells by itself when it has it.
        if (signal.aborted || epochOfRev(this.#held.at(shard)) === epochOfRev(rev)) return
      }
    })
  }

  /**
   * Resolves when no living node's lists show what the record was, and no file of theirs has it. A node that does not
   * answer is waited for until its lease is over.
   */
  clearedOf(recordId: string): Promise<void> {
    const record = async (node: string | null): Promise<ErasedRows> =>
      node === null
        ? this.#source.record(recordId)
        : (unpacked(await askNode(this.#context, node, 'lists.record', { recordId })) as ErasedRows)
    return this.#strictly(async (signal) => {
      const erased = await ownerAnswer(this.#context, record, signal)
      await Promise.all([this.#source.cleared(erased), this.#clearOthers(erased, signal)])
    })
  }

  /** Takes rows out of the lists of all nodes, each by the owner of its shard. */
  async unlist(rows: readonly number[]): Promise<void> {
    const byShard = Map.groupBy(await this.#ports.file.keysOf(rows), ({ shard }) => shard)
    const keys: ShardKeys[] = [...byShard].map(([shard, found]) => ({ shard, keys: found }))
    const done = new Set(await this.#source.unlist(keys))
    const left = (): readonly ShardKeys[] => keys.filter(({ shard }) => !done.has(shard))
    await Promise.allSettled(
      this.#ports.livingNodes().map(async (node) => {
        if (left().length === 0) return
        const answer = await askNode(this.#context, node, 'lists.unlist', { keys: left() })
        for (const shard of unpacked(answer) as readonly number[]) done.add(shard)
      }),
    )
    if (left().length > 0) throw unavailable('some lists have no owner at the moment')
  }

  /** A sweep has been through these rows of shards that this node owns. */
  async swept(rows: readonly number[]): Promise<void> {
    const epochs = Array.from({ length: this.#ports.shards }, (_, shard) => this.#own.epochOf(shard))
    for (const change of await this.#ports.file.sweptIn({ rows, epochs })) this.#own.noteChange(change)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort(OVER)
    this.#look.ring()
    this.#source.close()
    await Promise.all([this.#looking, this.#following.stop()])
  }

  /** Also for another node: what this one shows is complete, and current after a wait that is bounded. */
  async #shownHere<Name extends keyof Shown>(name: Name, query: Messages[Name]): Promise<Shown[Name]> {
    if (!this.isComplete()) throw unavailable('the lists of this node are not complete yet')
    if (this.#waiting >= this.#settings.listsWaitingMax)
      throw new AskFailed('overloaded', 'too many lists are being made', RETRY_AFTER_MS)
    this.#waiting += 1
    const over = new AbortController()
    try {
      const current = this.#currency.reach(query.tenant, over.signal)
      await withinBy(this.#ports.runtime, this.#settings.patienceMs, current, () => undefined)
    } finally {
      over.abort(OVER)
      this.#waiting -= 1
    }
    return this.#read[name](query)
  }

  async #shownElsewhere<Name extends keyof Shown>(name: Name, query: Messages[Name]): Promise<Shown[Name]> {
    for (const node of this.#ports.livingNodes()) {
      const answer = await askNode(this.#context, node, name, query).catch(() => null)
      if (answer !== null) return unpacked(answer) as Shown[Name]
    }
    throw unavailable('no node has complete lists')
  }

  /** All that live now, until none of them is left that has not answered. */
  async #clearOthers(erased: ErasedRows, signal: AbortSignal): Promise<void> {
    const { ports, settings } = this.#context
    const cleared = new Set<string>()
    while (!signal.aborted) {
      const left = (await ports.readLivingNodes()).filter((node) => !cleared.has(node))
      if (left.length === 0) return
      const results = await Promise.allSettled(
        left.map(async (node) => {
          await askNode(this.#context, node, 'lists.cleared', erased, settings.peerMs)
          cleared.add(node)
        }),
      )
      if (results.some(({ status }) => status === 'rejected')) await ports.runtime.sleep(settings.againMs)
    }
  }

  /** Done within its limit, or not: it ends with the signal at the latest. */
  async #strictly(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const over = new AbortController()
    try {
      await withinBy(this.#ports.runtime, this.#settings.strictMs, work(over.signal), () => {
        throw unavailable('other nodes have not confirmed yet')
      })
    } finally {
      over.abort(OVER)
    }
  }

  /** The files of all others count where this one has not followed: who has joined a moment ago is among them. */
  async #catchUp(shards: readonly number[]): Promise<boolean> {
    await this.#known.promise
    const { ports } = this.#context
    const isWhole = shards.every((shard) => this.#whole.has(shard))
    const read = isWhole ? null : await ports.readLivingNodes().catch(() => null)
    const parts = { ...this.#context, held: this.#held, whole: this.#whole }
    const isHeard = await catchUp(parts, shards, read ?? ports.livingNodes())
    return isHeard && (isWhole || read !== null)
  }

  async #lookAgainAndAgain(): Promise<void> {
    const ports = this.#ports
    const isClosed = (): boolean => this.#closed.signal.aborted
    for (let isKnown = false; !isClosed(); ) {
      try {
        if (!isKnown)
          for (const state of await ports.file.states())
            this.#held.move({ ...state, isFilling: !state.isWhole })
        isKnown = true
        this.#known.resolve()
        const nodes = ports.livingNodes()
        if (isClosed()) return
        this.#following.follow(nodes)
        this.#following.look()
        this.#source.forgetAllBut(nodes)
        this.#recent.prune(nodes)
        void this.#own.begin().catch((error: unknown) => ports.failed('', error))
      } catch (error) {
        ports.failed('', error)
      }
      await this.#look.wait(this.#settings.lookMs)
    }
  }
}

const unavailable = (reason: string, cause?: unknown): AskFailed =>
  new AskFailed('unavailable', reason, RETRY_AFTER_MS, { cause })
