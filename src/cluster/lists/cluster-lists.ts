import { shardOfActor } from '../../domain/references.ts'
import { AskFailed } from '../../ports/actors.ts'
import type { Directory, ListQuery } from '../../ports/directory.ts'
import type { Rev } from '../../ports/list-replicas.ts'
import { withinBy } from '../../timing/within.ts'
import { Alarm } from './alarm.ts'
import { Currency } from './currency.ts'
import { Following } from './following.ts'
import { Held } from './held.ts'
import { askNode, takeAllFrom } from './intake.ts'
import { type ShardKeys, unpacked } from './messages.ts'
import { OwnShards } from './own-shards.ts'
import { type ClusterListsPorts, type ClusterListsSettings, clusterListsDefaults } from './ports.ts'
import { RecentChanges } from './recent-changes.ts'
import { Source } from './source.ts'

const RETRY_AFTER_MS = 1_000
const OVER = new Error('the lists have waited long enough')

type Page = Awaited<ReturnType<Directory['list']>>

/** Lists of all records on every node: each has the rows of all shards in its own file, which follows their owners'. */
export class ClusterLists implements Directory, AsyncDisposable {
  readonly #ports: ClusterListsPorts
  readonly #settings: ClusterListsSettings
  readonly #held: Held
  readonly #recent: RecentChanges
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
    this.#held = new Held(ports.shards)
    this.#recent = new RecentChanges(this.#settings.recentMax)
    const context = { ports, settings: this.#settings, held: this.#held, recent: this.#recent }
    this.#own = new OwnShards({
      ...context,
      catchUp: (shards) => this.#catchUp(shards),
      changed: () => this.#source.changed(),
      begun: (shard) => this.#following.isWhole(shard),
    })
    const own = this.#own
    this.#source = new Source({ ...context, own, page: (query) => this.#listHere(query) })
    this.#following = new Following({ ...context, isOwn: (shard) => own.epochOf(shard) !== null })
    this.#currency = new Currency({ ...context, own, look: () => this.#following.look() })
    this.#look = new Alarm(ports.runtime)
    this.#looking = this.#lookAgainAndAgain()
  }

  /** What the projector needs in a cluster. */
  readonly isFollowed = (shard: number): boolean => this.#own.epochOf(shard) !== null
  readonly forgettable: OwnShards['forgettable'] = (...at) => this.#own.forgettable(...at)
  readonly write: OwnShards['write'] = (...written) => this.#own.write(...written)

  isComplete(): boolean {
    return this.#following.isComplete()
  }

  async list(query: ListQuery): Promise<Page> {
    if (!this.#ports.mayServe()) throw unavailable('the lease of this node is not confirmed')
    return this.isComplete() ? this.#listHere(query) : this.#listElsewhere(query)
  }

  /** Resolves when all that was committed, of a record or of all, is in this node's lists. */
  caughtUp(): Promise<void> {
    return this.#currency.require(null)
  }

  async caughtUpWith(recordId: string): Promise<void> {
    const shard = shardOfActor(recordId)
    const rev = await this.#settled(shard)
    if (this.#own.epochOf(shard) !== null) return
    const reached = new AbortController()
    await this.#strictly(this.#held.reached([{ shard, rev }], reached.signal)).finally(() => reached.abort())
  }

  /**
   * Resolves when no living node's lists show what the record was, and no file of theirs has it. A node that does not
   * answer is waited for until its lease is over.
   */
  async clearedOf(recordId: string): Promise<void> {
    const shard = shardOfActor(recordId)
    const change = { shard, rev: await this.#settled(shard) }
    const context = { ports: this.#ports, settings: this.#settings }
    const cleared = new Set<string>()
    let isOver = false
    const clear = async (node: string): Promise<void> => {
      await askNode(context, node, 'lists.cleared', change)
      cleared.add(node)
    }
    const own = this.#source.cleared(change)
    const others = async (): Promise<void> => {
      for (;;) {
        const left = (await this.#ports.readLivingNodes()).filter((node) => !cleared.has(node))
        if (left.length === 0 || isOver) return
        const results = await Promise.allSettled(left.map(clear))
        if (results.some(({ status }) => status === 'rejected'))
          await this.#ports.runtime.sleep(this.#settings.lookMs)
      }
    }
    await this.#strictly(Promise.all([own, others()])).finally(() => {
      isOver = true
    })
  }

  /** Takes rows out of the lists of all nodes, each by the owner of its shard. */
  async unlist(rows: readonly number[]): Promise<void> {
    const byShard = Map.groupBy(await this.#ports.file.keysOf(rows), ({ shard }) => shard)
    const keys: ShardKeys[] = [...byShard].map(([shard, found]) => ({ shard, keys: found }))
    const done = new Set(await this.#source.unlist(keys))
    const context = { ports: this.#ports, settings: this.#settings }
    const left = (): readonly ShardKeys[] => keys.filter(({ shard }) => !done.has(shard))
    await Promise.allSettled(
      this.#ports.livingNodes().map(async (node) => {
        if (left().length === 0) return
        const answer = await askNode(context, node, 'lists.unlist', { keys: left() })
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
  async #listHere(query: ListQuery): Promise<Page> {
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
    return this.#ports.list(query)
  }

  async #listElsewhere(query: ListQuery): Promise<Page> {
    const context = { ports: this.#ports, settings: this.#settings }
    for (const node of this.#ports.livingNodes()) {
      const answer = await askNode(context, node, 'lists.page', query).catch(() => null)
      if (answer !== null) return unpacked(answer) as Page
    }
    throw unavailable('no node has complete lists')
  }

  async #settled(shard: number): Promise<Rev> {
    if (this.#own.epochOf(shard) !== null) return this.#source.settled(shard)
    const context = { ports: this.#ports, settings: this.#settings }
    const asked = this.#ports.livingNodes().map((node) => askNode(context, node, 'lists.settled', { shard }))
    const answer = await Promise.any(asked).catch((cause: unknown) => {
      throw unavailable('the lists of this shard have no owner at the moment', cause)
    })
    this.#following.look()
    return unpacked(answer) as Rev
  }

  async #strictly(work: Promise<unknown>): Promise<void> {
    await withinBy<unknown>(this.#ports.runtime, this.#settings.strictMs, work, () => {
      throw unavailable('other nodes have not confirmed yet')
    })
  }

  /** One node after the other, each from where the one before has left off. One that does not answer is left out. */
  async #catchUp(shards: readonly number[]): Promise<void> {
    const context = { ports: this.#ports, settings: this.#settings, held: this.#held }
    await this.#known.promise
    for (const node of this.#ports.livingNodes())
      await takeAllFrom(context, node, shards).catch((error: unknown) => this.#ports.failed(node, error))
  }

  async #lookAgainAndAgain(): Promise<void> {
    const ports = this.#ports
    const isClosed = (): boolean => this.#closed.signal.aborted
    for (let isKnown = false; !isClosed(); ) {
      try {
        if (!isKnown) for (const state of await ports.file.states()) this.#held.set(state)
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
