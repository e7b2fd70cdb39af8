import { AskFailed } from '../../ports/actors.ts'
import { epochOfRev, type Rev } from '../../ports/list-replicas.ts'
import { withinBy } from '../../timing/within.ts'
import { Alarm } from './alarm.ts'
import type { Held } from './held.ts'
import { shardOfActor } from '../../domain/references.ts'
import type { Places } from './catching-up.ts'
import {
  type ErasedRows,
  erasedRows,
  type Messages,
  type Needs,
  packed,
  rowsAtOwner,
  type Service,
  type Shown,
  type ShardKeys,
  unpacked,
  withHead,
} from './messages.ts'
import { notOurs, type OwnShards } from './own-shards.ts'
import type { Context } from './ports.ts'
import type { RecentChanges } from './recent-changes.ts'

type Turn = { readonly alarm: Alarm; isIdle: boolean; isOver: boolean }
type Follower = {
  turn: Turn | null
  /** Somebody waits for what changed, so that its next question is answered at once. */
  isHurried: boolean
  answeredMs: number
  wasCut: boolean
}

export type SourceParts = Context & {
  readonly held: Held
  readonly recent: RecentChanges
  readonly own: OwnShards
  /** What lists say, for another node; rejects where this one's own file is not complete. */
  readonly shown: <Name extends keyof Shown>(name: Name, query: Messages[Name]) => Promise<Shown[Name]>
}

const NOTHING = new Uint8Array()
const RETRY_AFTER_MS = 200

/** What this node answers others about lists. One question for changes of each node is held at a time. */
export class Source {
  readonly #parts: SourceParts
  readonly #followers = new Map<string, Follower>()
  #isClosed = false

  constructor(parts: SourceParts) {
    this.#parts = parts
    this.#answer('lists.pull', (request, from) => this.#pull(request, from))
    this.#answer('lists.fill', async ({ wanted }) => {
      const changes = await parts.ports.file.changesAfter(wanted)
      return changes?.bytes ?? NOTHING
    })
    this.#answer('lists.rows', (wanted) => parts.ports.file.rowsOf(wanted))
    this.#answer('lists.needs', async ({ tenants }, from) => packed(await this.#needs(tenants, from)))
    this.#answer('lists.places', async ({ shards }) => packed(await this.#places(shards)))
    this.#answer('lists.settled', async ({ shard }) => packed(await this.settled(shard)))
    this.#answer('lists.record', async ({ recordId }) => packed(await this.record(recordId)))
    this.#answer('lists.cleared', async (erased) => packed(await this.cleared(erased)))
    this.#answer('lists.unlist', async ({ keys }) => packed(await this.unlist(keys)))
    for (const name of ['lists.page', 'lists.overview', 'lists.due'] as const)
      this.#answer(name, async (query) => packed(await parts.shown(name, query)))
  }

  /** Something changed in the shards of this node. */
  changed(): void {
    for (const { turn } of this.#followers.values()) if (turn?.isIdle === true) turn.alarm.ring()
  }

  /** What followers have is everything, which is told them at once: lists wait for it. */
  read(): void {
    for (const { turn } of this.#followers.values()) this.#end(turn)
  }

  /** Somebody waits for what changed. */
  hurry(node?: string): void {
    for (const [name, follower] of this.#followers) {
      if (node !== undefined && name !== node) continue
      follower.isHurried = true
      follower.turn?.alarm.ring()
    }
  }

  forgetAllBut(nodes: readonly string[]): void {
    for (const [node, { turn }] of this.#followers) {
      if (nodes.includes(node)) continue
      this.#end(turn)
      this.#followers.delete(node)
    }
  }

  /** Nobody is kept waiting for changes any more, or the link to him would have to wait too. */
  close(): void {
    this.#isClosed = true
    this.forgetAllBut([])
  }

  /** Up to where the shard is read when all that was committed before is in this node's file. */
  async settled(shard: number): Promise<Rev> {
    const { own, ports, held } = this.#parts
    const epoch = await own.begunWith(shard)
    await ports.caughtUp(shard)
    if (own.epochOf(shard) !== epoch) throw notOurs(shard)
    this.hurry()
    return held.at(shard)
  }

  /** The rows of a record when all that was committed before is in them, as this node's file has them. */
  async record(recordId: string): Promise<ErasedRows> {
    const { own, ports, held } = this.#parts
    const { file } = ports
    const shard = shardOfActor(recordId)
    const settled = await this.settled(shard)
    const keys = (await ports.rowsOf(recordId)).map(({ tenant, kind, id }) => ({ tenant, kind, id }))
    const left = keys.length > 0 ? [] : await file.keysOfRecord({ shard, recordId })
    // It is gone for good, and its rows are to be taken out: that is a change as any other.
    if (left.length > 0) await this.unlist([{ shard, keys: left }])
    const rev = held.at(shard)
    const bytes = await file.rowsOf({ shard, keys })
    if (own.epochOf(shard) !== epochOfRev(settled)) throw notOurs(shard)
    return erasedRows({ shard, rev, recordId, bytes })
  }

  /** Also of a file that has not read so far: what it still has to read cannot bring the texts back. */
  async cleared(erased: ErasedRows): Promise<true> {
    await this.#parts.ports.file.overwrite(rowsAtOwner(erased))
    return true
  }

  /** Answers with the shards that are owned here, whose rows are taken out. */
  async unlist(all: readonly ShardKeys[]): Promise<readonly number[]> {
    const { own, ports } = this.#parts
    const done: number[] = []
    for (const { shard, keys } of all) {
      const epoch = own.epochOf(shard)
      if (epoch === null) continue
      own.noteChange(await ports.file.unlistKeys({ shard, epoch, keys }))
      done.push(shard)
    }
    return done
  }

  #answer<Name extends Service>(
    service: Name,
    handler: (request: Messages[Name], from: string) => Promise<Uint8Array>,
  ): void {
    const { ports } = this.#parts
    ports.link.handle(service, async (body, from) => {
      // What is written here without a lease may be older than what others have erased since.
      if (!ports.mayServe())
        throw new AskFailed('unavailable', 'the lease of this node is not confirmed', RETRY_AFTER_MS)
      return handler(unpacked(body) as Messages[Name], from)
    })
  }

  async #pull({ revs, filling }: Messages['lists.pull'], from: string): Promise<Uint8Array> {
    const { ports, held, recent, own } = this.#parts
    if (this.#isClosed) throw new AskFailed('unavailable', 'the node is stopping', RETRY_AFTER_MS)
    recent.acknowledge(from, revs)
    const known = this.#followers.get(from)
    const unknown = { turn: null, isHurried: false, answeredMs: Number.NEGATIVE_INFINITY, wasCut: false }
    const follower: Follower = known ?? unknown
    this.#followers.set(from, follower)
    this.#end(follower.turn)
    const turn = { alarm: new Alarm(ports.runtime), isIdle: false, isOver: false }
    follower.turn = turn
    const wanted = await this.#awaitChanges(revs, follower, turn)
    if (follower.turn === turn) follower.turn = null
    if (wanted.length > 0) follower.isHurried = false
    // Before the changes are read: a shard that is owned now and not among them is the same there and here.
    const owned = own
      .all()
      .filter((shard) => own.isRead(shard) && (wanted.includes(shard) || revs[shard] === held.at(shard)))
    const asked = wanted.map((shard) => ({
      shard,
      rev: revs[shard] ?? 0,
      isFilling: filling.includes(shard),
    }))
    const changes = asked.length === 0 ? null : await ports.file.changesAfter(asked)
    follower.answeredMs = ports.runtime.monotonicMs()
    follower.wasCut = changes?.isCut === true
    return withHead({ owned, isCut: follower.wasCut }, changes?.bytes ?? NOTHING)
  }

  /** The shards that changed; none after the time for which a question is held. */
  async #awaitChanges(revs: readonly Rev[], follower: Follower, turn: Turn): Promise<readonly number[]> {
    const { ports, settings, held, own } = this.#parts
    const startedMs = ports.runtime.monotonicMs()
    for (;;) {
      const wanted = own.all().filter((shard) => {
        const rev = revs[shard] ?? 0
        return rev >= 0 && rev !== held.at(shard)
      })
      const nowMs = ports.runtime.monotonicMs()
      const untilMs =
        wanted.length > 0
          ? follower.answeredMs + (follower.wasCut ? 0 : settings.gatherMs)
          : startedMs + settings.holdMs
      const isDue = wanted.length > 0 && follower.isHurried
      if (turn.isOver || isDue || nowMs >= untilMs) return wanted
      turn.isIdle = wanted.length === 0
      await turn.alarm.wait(untilMs - nowMs)
    }
  }

  #end(turn: Turn | null): void {
    if (turn === null) return
    turn.isOver = true
    turn.alarm.ring()
  }

  /** Of a file that is being filled nothing is said: another has more. */
  async #places(shards: readonly number[]): Promise<Places> {
    const states = new Map((await this.#parts.ports.file.states()).map((state) => [state.shard, state]))
    return shards.map((shard) => {
      const state = states.get(shard)
      return state?.isWhole === true ? state.rev : null
    })
  }

  async #needs(tenants: readonly (string | null)[], from: string): Promise<Needs> {
    const { ports, settings, held, recent, own } = this.#parts
    void own.begin().catch(() => undefined)
    const owned = own.all()
    await withinBy(ports.runtime, settings.requestTimeoutMs, ports.caughtUp(), () => {
      throw new AskFailed('unavailable', 'the lists of this node are behind', RETRY_AFTER_MS)
    })
    const stillOwned = owned.filter((shard) => own.epochOf(shard) !== null)
    const needed = tenants.map((tenant) =>
      tenant === null
        ? stillOwned.map((shard) => ({ shard, rev: held.at(shard) }))
        : recent.neededBy(from, tenant),
    )
    if (needed.some(({ length }) => length > 0)) this.hurry(from)
    return { owned: stillOwned, needed }
  }
}
