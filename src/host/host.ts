import { AtomicCommand, partsOf } from './commands/atomic-command.ts'
import {
  DEADLINE_GRAIN_MS,
  Deadlines,
  PendingCommand,
  PendingRead,
  PendingRemoval,
  answerOf,
} from './commands/pending-command.ts'
import { EndOfTick } from './commit/end-of-tick.ts'
import { Registry, type AnyActorDefinition } from './definition.ts'
import { FairScheduler } from './effects/fair-scheduler.ts'
import { isUnreadable, notOwner, unavailable, type ReportFault } from './faults.ts'
import { HostClock } from './host-clock.ts'
import type { HostLimits } from './host-limits.ts'
import { ShardLost, type Journal } from '../ports/journal.ts'
import {
  NoSuchActor,
  type Actors,
  type Addressed,
  type AskOptions,
  type AtomicOptions,
  type ReadAnswer,
  type LocalActors,
  type ReadOptions,
  type Removals,
} from '../ports/actors.ts'
import { refuse, type KindTypes, type Refused } from '../domain/decider.ts'
import { shardDigits, type Ref } from '../domain/references.ts'
import { Eviction } from './residents/eviction.ts'
import type { Resident } from './residents/resident.ts'
import { ActorSystem } from './residents/resident-actor.ts'
import type { BodyStore } from '../ports/bodies.ts'
import type { CopiesElsewhere } from '../ports/hot-facts.ts'
import type { Runtime } from '../ports/runtime.ts'
import { ShardHost, type ShardCounts } from './shard-host.ts'
import type { Vault } from '../ports/vault.ts'
import { noRests, type Rests } from './rests.ts'
import { ServedShards } from './served-shards.ts'
import { SharedReads } from './shared-reads.ts'
import { ShardTurns } from './timers/shard-turns.ts'

export type HostOptions = {
  readonly journal: Journal
  /** Null only when no kind of actor has personal fields. */
  readonly vault: Vault | null
  /** Null only when no kind of actor has bodies. */
  readonly bodies?: Pick<BodyStore, 'keepOnly' | 'deleteOthers'> | null
  readonly runtime: Runtime
  /** How everything in this process asks, where that is more than the actors here; they themselves where it is left out. */
  readonly reach?: (local: LocalActors) => Actors & Removals
  /** Every kind of actor; what a kind owes may ask other actors. */
  readonly definitions: (actors: Actors & Removals) => readonly AnyActorDefinition[]
  /** Which organisations rest; none ever, where it is left out. */
  readonly rests?: (actors: Actors) => Rests
  /** Copies that other nodes read; left out, there are none. */
  readonly copies?: CopiesElsewhere | null
  readonly limits: HostLimits
  readonly report: ReportFault
  /** The shard is not served here any more, although it was not closed. */
  readonly shardLost?: (shard: number) => void
}

export type HostStatus = {
  readonly shards: number
  readonly residents: number
  readonly waiting: number
  readonly timersLoaded: number
}

const READ_RECORD: ReadOptions<never> = {}
const NOT_LOADED = refuse('not_found', 'Nothing is read for a caller who may not ask for it.')

/** The actors of the shards that are open here: asks are decided, committed, answered, and what they owe is done. */
export class Host implements LocalActors, AsyncDisposable {
  /** Asked by everything in this process: the actors here, or those that stand before them. */
  readonly actors: Actors & Removals
  readonly #options: HostOptions
  readonly #goOn: PendingCommand['goesOn']
  readonly #rests: Rests
  readonly #registry: Registry
  readonly #eviction: Eviction
  readonly #scheduler: FairScheduler
  readonly #deadlines = new Deadlines()
  readonly #sharedReads = new SharedReads()
  readonly #system = new ActorSystem()
  readonly #endOfTick: EndOfTick
  readonly #turns = new ShardTurns()
  readonly #shards = new ServedShards()
  readonly #closed = new AbortController()
  readonly #clock: HostClock
  readonly #ticking: Promise<void>

  constructor(options: HostOptions) {
    this.#options = options
    const reach = options.reach?.(this) ?? null
    this.actors = reach ?? this
    this.#goOn = reach === null ? null : (lost) => this.#askAgain(reach, lost)
    this.#rests = options.rests?.(this.actors) ?? noRests
    const definitions = options.definitions(this.actors)
    if (options.vault === null && definitions.some(({ keyParent }) => keyParent !== null))
      throw new Error('actors with personal fields need a vault')
    this.#registry = new Registry(definitions)
    this.#eviction = new Eviction(options.limits, this.#wanted)
    this.#endOfTick = new EndOfTick(options.runtime)
    this.#clock = new HostClock(options.runtime)
    const nowMs = (): number => options.runtime.monotonicMs()
    this.#scheduler = new FairScheduler(options.limits, { nowMs, wanted: this.#wanted })
    this.#ticking = this.#clock.run((atMs) => this.#step(atMs))
  }

  /** Takes the shard over; what is owed and due there begins at once. Resolves with its epoch. */
  async open(shard: number, releasedEpoch?: number): Promise<number> {
    const served = this.#shards.get(shard)
    if (served !== undefined) return served.epoch
    const { journal, vault, bodies = null, copies = null, runtime, limits, report } = this.#options
    const opened = await journal.open(shard, releasedEpoch)
    if (this.#closed.signal.aborted) {
      await opened.close()
      throw new ShardLost(shard, 'closed')
    }
    const host = new ShardHost({
      journal: opened,
      vault,
      bodies,
      runtime,
      rests: this.#rests,
      copies,
      report,
      limits,
      registry: this.#registry,
      system: this.#system,
      endOfTick: this.#endOfTick,
      eviction: this.#eviction,
      scheduler: this.#scheduler,
      wanted: this.#wanted,
    })
    this.#shards.set(shard, host)
    this.#wanted(0)
    host.ended.addEventListener('abort', () => this.#ended(shard, host), { once: true })
    return opened.epoch
  }

  /** Brings the copies of a shard up to date while it is served, so that a close that follows is short. */
  async catchUp(shard: number): Promise<void> {
    await this.#shards.get(shard)?.catchUp()
  }

  /** Hands the shard back in good order: finishes what was admitted first. */
  async close(shard: number): Promise<void> {
    await this.#shards.get(shard)?.close(this.#options.limits.drainMs)
  }

  isOpen(shard: number): boolean {
    return this.#shards.has(shard)
  }

  /** Calls back when a shard was opened here, and when one is served no longer. */
  onShards(listener: () => void): () => void {
    return this.#shards.onChange(listener)
  }

  epochOf(shard: number): number | null {
    return this.#shards.get(shard)?.epoch ?? null
  }

  takes(shard: number): boolean {
    return this.#shards.get(shard)?.isTaking === true
  }

  ask<Of extends KindTypes>(
    to: Ref<Of>,
    command: NoInfer<Of>['command'],
    options: AskOptions,
  ): Promise<Of['reply'] | Refused> {
    const pending = PendingCommand.of(command, options)
    pending.to = to
    pending.goesOn = this.#goOn
    return this.#submit(to, pending, options.timeoutMs)
  }

  askHere<Of extends KindTypes>(
    to: Ref<Of>,
    command: NoInfer<Of>['command'],
    options: AskOptions,
  ): Promise<Of['reply'] | Refused> {
    return this.#submit(to, PendingCommand.of(command, options), options.timeoutMs)
  }

  read<Of extends KindTypes, View extends keyof Of['views'] = 'record'>(
    from: Ref<Of>,
    options: ReadOptions<View> = READ_RECORD,
  ): ReadAnswer<Of, View> {
    const { tenant = null, timeoutMs } = options
    const view = String(options.view ?? 'record')
    const host = this.#shards.get(shardDigits(from))
    const resident = host?.resident(from)
    if (host !== undefined && resident !== undefined) {
      const shown = host.readNow(resident, view, this.#options.runtime.monotonicMs())
      if (shown !== undefined) return shown as ReadAnswer<Of, View>
    }
    if (resident === undefined && options.mayLoad?.() === false) return NOT_LOADED
    const read = (): Promise<unknown> => this.#submit(from, new PendingRead(view, tenant), timeoutMs)
    return this.#sharedReads.share(from, view, tenant, read) as ReadAnswer<Of, View>
  }

  async remove(actor: string): Promise<void> {
    try {
      await this.#submit(actor, new PendingRemoval())
    } catch (error) {
      const definition = this.#registry.find(actor)?.definition
      const host = this.#shards.get(shardDigits(actor))
      if (!isUnreadable(error) || definition === undefined || host === undefined) throw error
      await host.removeUnread(actor, definition)
    }
  }

  /** Waits in the queue of each actor that is not ready yet, and is decided where the last one became ready. */
  async askAtomically(addressed: readonly Addressed[], options: AtomicOptions): Promise<never> {
    const members = partsOf(addressed, (actor) => this.#registry.find(actor))
    const [first] = members
    if (first === undefined) throw new RangeError('there is nothing to ask')
    // What may be asked elsewhere may be asked again, and then the record may be there.
    const command = new AtomicCommand(members, options, this.#goOn === null)
    return this.#submit(first.actor, command, options.timeoutMs) as Promise<never>
  }

  #submit(
    actor: string,
    command: PendingCommand,
    timeoutMs = this.#options.limits.askTimeoutMs,
    host = this.#shards.get(shardDigits(actor)),
    resident: Resident | undefined = host?.resident(actor),
  ): Promise<unknown> {
    // The id of a resident has been checked before.
    const definition = resident?.definition ?? this.#registry.find(actor)?.definition
    if (definition === undefined) return Promise.reject(new NoSuchActor())
    const answer = answerOf(command)
    if (host === undefined) {
      command.fail(notOwner(shardDigits(actor)))
      return answer
    }
    const nowMs = this.#options.runtime.monotonicMs()
    const refusal = host.submit(resident ?? null, actor, definition, command, nowMs)
    if (refusal !== null) command.fail(refusal)
    else {
      this.#deadlines.add(command, nowMs + timeoutMs)
      this.#wanted(timeoutMs)
    }
    return answer
  }

  /** Whether it was committed or not: under the same id it has its effect once. */
  #askAgain(reach: Actors, lost: PendingCommand): Promise<unknown> {
    const { to, command, commandId, tenant, dueTenth, mayLinger } = lost
    const timeoutMs = dueTenth * DEADLINE_GRAIN_MS - this.#options.runtime.monotonicMs()
    if (commandId === null || timeoutMs <= 0) return Promise.reject(unavailable('no answer in time'))
    return reach.ask(to as Ref<KindTypes>, command, { commandId, tenant, timeoutMs, mayLinger })
  }

  status(): HostStatus {
    const waiting = this.#shards.sumOf((host) => host.waiting)
    const timersLoaded = this.#shards.sumOf((host) => host.timersLoaded)
    return { shards: this.#shards.size, residents: this.#eviction.count, waiting, timersLoaded }
  }

  /** What each shard that is open here has done since it was opened. */
  counts(): readonly ({ readonly shard: number } & ShardCounts)[] {
    return this.#shards.counts()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { drainMs } = this.#options.limits
    this.#closed.abort()
    await Promise.all([...this.#shards.values()].map((host) => host.close(drainMs)))
    this.#clock.stop()
    await this.#ticking
    this.#system.close()
  }

  #ended(shard: number, host: ShardHost): void {
    if (this.#shards.get(shard) !== host) return
    this.#shards.delete(shard)
    if (!host.isClosing) this.#options.shardLost?.(shard)
  }

  readonly #wanted = (inMs: number): void => this.#clock.wanted(inMs)

  /** Everything that is due of deadlines, timers and idle actors; answers with when something is due next. */
  #step(nowMs: number): number {
    this.#deadlines.giveUpLate(nowMs)
    this.#eviction.tick(nowMs)
    this.#scheduler.tick(nowMs)
    const wallMs = this.#options.runtime.now()
    const shardsMs = nowMs - wallMs + this.#turns.tick(this.#shards, wallMs)
    const othersMs = Math.min(this.#eviction.nextMs(nowMs), this.#scheduler.nextMs(nowMs))
    return Math.min(this.#deadlines.nextMs, shardsMs, othersMs)
  }
}
