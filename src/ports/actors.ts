import type { KindTypes, Refused } from '../domain/decider.ts'
import type { Ref } from '../domain/references.ts'

/** How the rest of the service reaches actors. */
export type AskOptions = {
  /** The same id again, also after a crash or on another node, has the effect once and the same answer. */
  readonly commandId: string
  /** The organisation whose share of the shard's queue the command takes; null for the system's own work. */
  readonly tenant: string | null
  /**
   * The answer is `unavailable` (retryable; repeating the id finds the outcome) when it is not there after this time.
   * Without it the limit of the service holds.
   */
  readonly timeoutMs?: number
  /** Nobody is late when the commit comes a moment later, together with others. */
  readonly mayLinger?: boolean
}

export type AtomicOptions = AskOptions & {
  /**
   * The record of these that begins with this command: its id was given to nobody before, so the journal is not asked for
   * it. To be said once for an id; not heeded where several nodes may be asked.
   */
  readonly begins?: string
}

export type ReadOptions<View> = {
  /** What is read; without it the record. */
  readonly view?: View
  readonly tenant?: string | null
  readonly timeoutMs?: number
  /** Asked only where the actor would have to be loaded first; without permission the answer is `not_found`. */
  readonly mayLoad?: () => boolean
}

/** Broken infrastructure or too much work, in contrast to a decider's refusal, which is a value. All are retryable. */
export class AskFailed extends Error {
  override readonly name = 'AskFailed'
  readonly retryable = true
  readonly code: 'unavailable' | 'overloaded' | 'not_owner'
  readonly retryAfterMs: number
  constructor(code: AskFailed['code'], reason: string, retryAfterMs: number, options?: ErrorOptions) {
    super(reason, options)
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** A text that is no actor's id, or of a kind that does not exist: nothing can be asked under it. */
export class NoSuchActor extends Error {
  override readonly name = 'NoSuchActor'
  readonly retryable = false
  constructor() {
    super('no actor can have this id')
  }
}

/** A bug in the code of one kind of actor, or text in its journal that cannot be read: asking again does not help. */
export class ActorFailed extends Error {
  override readonly name = 'ActorFailed'
  readonly retryable = false
  readonly actor: string
  constructor(actor: string, options?: ErrorOptions) {
    super(`${actor} failed`, options)
    this.actor = actor
  }
}

declare const typesOfMember: unique symbol

/** One command of several that are committed together; made by `addressed`, which checks it against its kind. */
export type Addressed<Of extends KindTypes = KindTypes> = {
  readonly to: Ref<Of>
  readonly command: Of['command']
  readonly [typesOfMember]: Of
}

export const addressed = <Of extends KindTypes>(
  to: Ref<Of>,
  command: NoInfer<Of>['command'],
): Addressed<Of> => ({ to, command }) as Addressed<Of>

/** Records that go whole, by their ids: no command, because there is nothing left to decide about them. */
export interface Removals {
  /**
   * Resolves when key, bodies and events are gone, as if the record had never been; one that never was is gone already. It
   * is in no list any more only once somebody takes its row away. Rejects as retryable where it is to be asked for again.
   */
  remove(actor: string): Promise<void>
}

type RepliesTo<Members extends readonly Addressed[]> = {
  readonly [Index in keyof Members]: Members[Index] extends Addressed<infer Of> ? Of['reply'] : never
}

export type ReadAnswer<Of extends KindTypes, View extends keyof Of['views']> =
  | Of['views'][View]
  | Refused
  | Promise<Of['views'][View] | Refused>

export interface Actors {
  ask<Of extends KindTypes>(
    to: Ref<Of>,
    command: NoInfer<Of>['command'],
    options: AskOptions,
  ): Promise<Of['reply'] | Refused>
  /**
   * Changes nothing. Answers at once where the actor is in memory here and idle, and in its turn otherwise: most
   * requests only read, and the promises between a request and such an answer cost more than the answer.
   */
  read<Of extends KindTypes, View extends keyof Of['views'] = 'record'>(
    from: Ref<Of>,
    options?: ReadOptions<View>,
  ): ReadAnswer<Of, View>
  /**
   * Several actors of one shard, all or nothing, committed in one batch; decided in their order. The first refusal is
   * the answer, and then nothing has happened.
   */
  askAtomically<const Members extends readonly Addressed[]>(
    members: Members,
    options: AtomicOptions,
  ): Promise<RepliesTo<Members> | Refused>
}

/** The actors of the shards that this process serves. */
export interface LocalActors extends Actors, Removals {
  /** False also while a shard is handed back: what was admitted is finished then, and nothing more is taken on. */
  takes(shard: number): boolean
  /** As `ask`, but `not_owner` where the shard is lost before the answer; `ask` goes on wherever it is served then. */
  askHere<Of extends KindTypes>(
    to: Ref<Of>,
    command: NoInfer<Of>['command'],
    options: AskOptions,
  ): Promise<Of['reply'] | Refused>
}

/** The shard is not served where it was looked for. */
export const isNotOwner = (error: unknown): boolean =>
  error instanceof AskFailed && error.code === 'not_owner'

/** Broken infrastructure says of itself that it can be asked again; everything else is a defect. */
export const isRetryable = (error: unknown): error is Error =>
  error instanceof Error && 'retryable' in error && error.retryable === true
