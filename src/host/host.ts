import { Deadlines } from './deadlines.ts'
import type { AnyActorDefinition } from './definition.ts'
import { EffectSlots } from './effect-slots.ts'
import { notOwner, type ReportFault, unavailable } from './faults.ts'
import type { HostLimits } from './host-limits.ts'
import { type Journal, ShardLost } from '../ports/journal.ts'
import {
  type Actors,
  type Addressed,
  type AskOptions,
  NoSuchActor,
  type OldAddressed,
  type ReadAnswer,
  type ReadOptions,
} from '../ports/actors.ts'
import type { KindTypes } from '../domain/decider.ts'
import type { Ref } from '../domain/references.ts'
import { isRefused } from '../domain/refused.ts'
import { shardDigits } from '../domain/shards.ts'
import { Registry } from './registry.ts'
import { Residency } from './eviction.ts'
import type { Runtime } from '../ports/runtime.ts'
import { ShardHost } from './shard-host.ts'
import { type Party, Whole } from './atomic-command.ts'
import { TurnEnd } from './end-of-tick.ts'
import { ActorSystem } from './resident-actor.ts'
import type { Vault } from '../ports/vault.ts'
import { answerOf, PendingRead, Work } from './pending-command.ts'
import { SharedReads } from './shared-reads.ts'

export type HostOptions = {
  readonly journal: Journal
  /** Null only when no kind of actor has personal fields. */
  readonly vault: Vault | null
  readonly runtime: Runtime
  /** Every kind of actor; what a kind owes may ask other actors. */
  readonly definitions: (actors: Actors) => readonly AnyActorDefinition[]
  readonly limits: HostLimits
  readonly report: ReportFault
  /** The shard is not served here any more, although nobody closed it. */
  readonly shardLost?: (shard: number) => void
}

export type HostStatus = {
  readonly shards: number
  readonly residents: number
  readonly waiting: number
  readonly timersLoaded: number
}

const TICK_MS = 50
const READ_RECORD: ReadOptions<never> = {}

/** The actors of the shards that are open here: asks are decided, committed, answered, and what they owe is done. */
export class Host implements Actors, AsyncDisposable {
  readonly #options: HostOptions
  readonly #registry: Registry
  readonly #residency: Residency
  readonly #slots: EffectSlots
  readonly #deadlines = new Deadlines()
  readonly #sharedReads = new SharedReads()
  readonly #system = new ActorSystem()
  readonly #turnEnd = new TurnEnd()
  readonly #shards = new Map<number, ShardHost>()
  readonly #closed = new AbortController()
  readonly #stopTicking = new AbortController()
  readonly #ticking: Promise<void>

  constructor(options: HostOptions) {
    this.#options = options
    const definitions = options.definitions(this)
    if (options.vault === null && definitions.some(({ keyParent }) => keyParent !== null))
      throw new Error('actors with personal fields need a vault')
    this.#registry = new Registry(definitions)
    this.#residency = new Residency(options.limits)
    this.#slots = new EffectSlots(options.limits)
    this.#ticking = this.#tick()
  }

  /** Takes the shard over; what is owed and due there begins at once. */
  async open(shard: number): Promise<void> {
    if (this.#shards.has(shard)) return
    const { journal, vault, runtime, limits, report } = this.#options
    const opened = await journal.open(shard)
    if (this.#closed.signal.aborted) {
      await opened.close()
      throw new ShardLost(shard, 'closed')
    }
    const host = new ShardHost({
      journal: opened,
      vault,
      runtime,
      report,
      limits,
      system: this.#system,
      turnEnd: this.#turnEnd,
      residency: this.#residency,
      slots: this.#slots,
      definitionOf: (actor) => this.#registry.find(actor)?.definition ?? null,
    })
    this.#shards.set(shard, host)
    host.ended.addEventListener('abort', () => this.#ended(shard, host), { once: true })
  }

  /** Hands the shard back in good order: finishes what was admitted first. */
  async close(shard: number): Promise<void> {
    await this.#shards.get(shard)?.close(this.#options.limits.drainMs)
  }

  isOpen(shard: number): boolean {
    return this.#shards.has(shard)
  }

  ask<Reply>(actor: string, command: unknown, options: AskOptions): Promise<Reply> {
    const shard = shardDigits(actor)
    const host = this.#shards.get(shard)
    // Whoever is in memory has an id that was looked at before.
    const resident = host?.resident(actor)
    const definition = resident?.definition ?? this.#registry.find(actor)?.definition
    if (definition === undefined) return Promise.reject(new NoSuchActor())
    const { commandId, tenant, timeoutMs = this.#options.limits.askTimeoutMs } = options
    const nowMs = this.#options.runtime.monotonicMs()
    if (commandId === '' && host !== undefined && resident !== undefined) {
      const answered = host.answerNow(resident, command, nowMs)
      if (answered !== null) return Promise.resolve(answered.reply as Reply)
    }
    const work = new Work(command, commandId, tenant, null)
    const answer = answerOf<Reply>(work)
    if (host === undefined) work.fail(notOwner(shard))
    else {
      const refusal = host.submit(resident ?? null, actor, definition, work, nowMs)
      if (refusal === null) this.#deadlines.add(work, nowMs + timeoutMs)
      else work.fail(refusal)
    }
    return answer
  }

  answerNow(actor: string, question: unknown): { readonly reply: unknown } | null {
    const host = this.#shards.get(shardDigits(actor))
    const resident = host?.resident(actor)
    if (host === undefined || resident === undefined) return null
    const nowMs = this.#options.runtime.monotonicMs()
    return host.answerNow(resident, question, nowMs)
  }

  read<Of extends KindTypes, View extends keyof Of['views'] = 'record'>(
    from: Ref<Of>,
    options: ReadOptions<View> = READ_RECORD,
  ): ReadAnswer<Of, View> {
    const view = String(options.view ?? 'record')
    const host = this.#shards.get(shardDigits(from))
    const resident = host?.resident(from)
    if (host !== undefined && resident !== undefined) {
      const shown = host.readNow(resident, view, this.#options.runtime.monotonicMs())
      if (shown !== undefined) return shown as ReadAnswer<Of, View>
    }
    const tenant = options.tenant ?? null
    return this.#sharedReads.share(from, view, tenant, () => {
      const read = new PendingRead(view, tenant)
      return this.#submit(from, read, options.timeoutMs)
    }) as ReadAnswer<Of, View>
  }

  askAtomically(members: readonly Addressed[], options: AskOptions): Promise<never> {
    const commands = members.map(({ to, command }) => ({ actor: to, command }))
    return this.#askAll(commands, options) as Promise<never>
  }

  async askTogether(
    commands: readonly OldAddressed[],
    _refused: (reply: unknown) => boolean,
    options: AskOptions,
  ): Promise<readonly unknown[]> {
    const answer = await this.#askAll(commands, options)
    return isRefused(answer) ? [answer] : (answer as readonly unknown[])
  }

  #submit(actor: string, work: Work, timeoutMs = this.#options.limits.askTimeoutMs): Promise<unknown> {
    const shard = shardDigits(actor)
    const host = this.#shards.get(shard)
    const resident = host?.resident(actor)
    const definition = resident?.definition ?? this.#registry.find(actor)?.definition
    if (definition === undefined) return Promise.reject(new NoSuchActor())
    const answer = answerOf<unknown>(work)
    const nowMs = this.#options.runtime.monotonicMs()
    if (host === undefined) work.fail(notOwner(shard))
    else {
      const refusal = host.submit(resident ?? null, actor, definition, work, nowMs)
      if (refusal === null) this.#deadlines.add(work, nowMs + timeoutMs)
      else work.fail(refusal)
    }
    return answer
  }

  async #askAll(commands: readonly OldAddressed[], options: AskOptions): Promise<unknown> {
    const { shard, parties } = this.#parties(commands)
    const [first] = parties
    if (first === undefined) return []
    const host = this.#shards.get(shard)
    if (host === undefined) throw notOwner(shard)
    const whole = new Whole(parties, options)
    const answer = answerOf<unknown>(whole)
    const nowMs = this.#options.runtime.monotonicMs()
    // Goes in turn to whichever of its parties is not ready yet, and is decided in the turn of one of them.
    const refusal = host.submit(
      host.resident(first.actor) ?? null,
      first.actor,
      first.definition,
      whole,
      nowMs,
    )
    if (refusal === null)
      this.#deadlines.add(whole, nowMs + (options.timeoutMs ?? this.#options.limits.askTimeoutMs))
    else whole.fail(refusal)
    return answer
  }

  status(): HostStatus {
    let waiting = 0
    let timersLoaded = 0
    for (const host of this.#shards.values()) {
      waiting += host.waiting
      timersLoaded += host.timersLoaded
    }
    return { shards: this.#shards.size, residents: this.#residency.count, waiting, timersLoaded }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { drainMs } = this.#options.limits
    this.#closed.abort()
    await Promise.all([...this.#shards.values()].map((host) => host.close(drainMs)))
    this.#stopTicking.abort()
    await this.#ticking
    this.#system.close()
  }

  #parties(commands: readonly OldAddressed[]): {
    readonly shard: number
    readonly parties: readonly Party[]
  } {
    let shard = -1
    const parties = commands.map(({ actor, command }) => {
      const found = this.#registry.find(actor)
      if (found === null) throw new NoSuchActor()
      if (shard >= 0 && shard !== found.shard)
        throw new RangeError('only actors of one shard can be asked together')
      shard = found.shard
      return { actor, definition: found.definition, command }
    })
    return { shard, parties }
  }

  #ended(shard: number, host: ShardHost): void {
    if (this.#shards.get(shard) !== host) return
    this.#shards.delete(shard)
    if (!host.isClosing) this.#options.shardLost?.(shard)
  }

  /** The one clock of all deadlines, timers and idle actors. */
  async #tick(): Promise<void> {
    const { runtime } = this.#options
    const { signal } = this.#stopTicking
    while (!signal.aborted) {
      try {
        await runtime.sleep(TICK_MS, signal)
      } catch {
        return
      }
      const nowMs = runtime.monotonicMs()
      this.#deadlines.expire(nowMs, (work) => work.fail(unavailable('no answer in time')))
      this.#residency.passivateIdle(nowMs)
      this.#slots.tick(nowMs)
      const wallMs = runtime.now()
      for (const host of this.#shards.values()) host.tick(wallMs)
    }
  }
}
