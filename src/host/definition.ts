import type { Decider, Effect, KindTypes } from '../domain/decider.ts'
import { kindOf, shardOf } from '../domain/references.ts'

/** Text in the journal for one event or state. Validates before write and after read. */
export type Codec<Value> = {
  /** `seal` is null for kinds without personal fields. A property, so that a codec that forgets an event does not compile. */
  readonly encode: (value: Value, seal: FieldSeal | null) => string
  readonly decode: (text: string, seal: FieldSeal | null) => Value
  /** Whether any of its fields is personal, so that what is written needs a data key. */
  readonly needsSeal?: boolean
}

export type FieldSeal = {
  /** True once the key, or one above it, was erased while its holder has what it opened. */
  readonly gone?: boolean
  seal(plain: string, context: string): string
  open(sealed: string, context: string): string | null
}

/** What an effect handler gets: who owes it, and when to give up because the shard moves or the process stops. */
export type EffectContext = {
  readonly actor: string
  /** The id of the effect: with the actor's the same for all attempts at it, on whichever node. */
  readonly effectId: string
  readonly signal: AbortSignal
  /**
   * To be called before something is sent to a host that a stranger chose. Null when that may be done now; else the
   * run waits without a slot until it is this recipient's turn, and what was read before may be out of date.
   */
  readonly forward: (recipient: string) => Promise<void> | null
}

/** Decides when an effect may begin: null when it has begun or waits its turn, else after how long to ask again. */
export type EffectGate = {
  enter(begin: () => void): number | null
  /** `failed`: what was to be done was not done. */
  leave(failed: boolean): void
  /**
   * From here on the run waits for the turn of one recipient. A gate that stands for one recipient from the beginning,
   * such as that of a webhook endpoint, has none.
   */
  forward?(recipient: string): Promise<void> | null
}

/** Under which keys the data key of a record with personal fields is wrapped. */
export type KeyParent = { readonly tenant: string; readonly connection: string | null }

type OwedBy<Of extends KindTypes> = [Of['owed']] extends [never] ? Effect : Of['owed']

/** One kind of actor as the host runs it. */
export type ActorDefinition<Of extends KindTypes> = {
  /** Also the prefix of the ids. */
  readonly kind: string
  readonly decider: Decider<Of>
  readonly events: Codec<Of['event']>
  readonly snapshots: Codec<Of['state']>
  readonly snapshotEvery: number
  /** Kinds with personal fields have a data key; its parents are known from the command that creates the actor. */
  readonly keyParent: ((actor: string, first: Of['command']) => KeyParent) | null
  /**
   * True when an event has erased its personal data: the host deletes the data key after that commit. Asked of clear
   * fields alone, because personal ones are also null where a key above was erased, or is lost.
   */
  readonly erased: (state: Of['state']) => boolean
  /**
   * The only bodies beside the journal that the record still needs, by their ids; null while another may come. The host
   * deletes all others after the commit that brings such a state.
   */
  readonly bodiesKept: (state: Of['state']) => readonly string[] | null
  /** Whether more bodies come to a record that says already which of the earlier ones are kept. It names each before it is put. */
  readonly bodiesCome: (state: Of['state']) => boolean
  /** Other nodes may read copies of it; its answers leave when these know of its changes. */
  readonly isCopied: boolean
  /** Views that no other node keeps all the same: each read of one is answered by the owner. */
  readonly viewsNotCopied: readonly string[]
  /**
   * Whether an id without events stays in memory as any other: what is read for many requests would otherwise be looked for
   * in the journal by each. Only for ids that follow from those of other records, so that nobody can make more of them up.
   */
  readonly staysUnknown: boolean
  /** True when it is over for good and owes nothing: soon its events are folded into a last snapshot. */
  readonly isOver: (state: Of['state']) => boolean
  /**
   * From when on the record means as much as none, so that it goes whole; null: it stays. Whatever is decided after that
   * must be what would be decided for a record that never was.
   */
  readonly goneAtMs: (state: Of['state']) => number | null
  /**
   * How long after that, and after as much again at most, it happens: what ends at the same time is not forgotten at the
   * same time. Followers of the log have passed a record by then, and the repetitions of its last commands are over.
   */
  readonly forgetAfterMs: number
  /**
   * True for records that live for long and whose history is of no use: the events before a snapshot go when it is durable,
   * and the record lives on.
   */
  readonly foldsWhileAlive: boolean
  /** The organisation whose turn an owed effect takes; null for actors that belong to none. */
  readonly tenantOf: (state: Of['state']) => string | null
  /**
   * Does what is owed and answers with the command that records the outcome. At-least-once, stable effect id; a throw
   * means "not yet": the host tries again with backoff for as long as the state owes it.
   */
  readonly perform: (effect: OwedBy<Of>, context: EffectContext) => Promise<Of['command']>
  /**
   * True for an outcome that no caller can see, and from which nothing follows that a repetition of the effect would harm:
   * its commit waits for the next one, half a second at most. A crash before that has the effect done once more.
   */
  readonly isNote: (outcome: Of['command']) => boolean
  /**
   * True for an effect that begins only when no other one of its record is under way: what says to a wallet that something
   * is over must not arrive before the message that began it.
   */
  readonly comesLast: (effect: OwedBy<Of>) => boolean
  /** For effects that must not wait for each other although they are of one kind; without it, or where it is null, a kind shares the host's slots, organisation by organisation. */
  readonly gate?: (effect: OwedBy<Of>) => EffectGate | null
  readonly onTimer: (timerId: string, atMs: number) => Of['command']
  /**
   * The command with the times of the node that has the actor, for records that compare the times of several commands:
   * each may come from a node whose clock is another. Null: the times that came with it are the ones.
   */
  readonly dated: ((command: Of['command'], nowMs: number) => Of['command']) | null
  /**
   * Since when the record waits for somebody, where the timer ends that wait: time in which its organisation rested does
   * not count. Null for every other timer.
   */
  readonly waitsSince: (state: Of['state'], timerId: string) => number | null
}

// The registry holds definitions of every kind; each is checked where it is defined.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyActorDefinition = ActorDefinition<any>

const NOTHING_OWED: readonly never[] = []

export const owedOf = ({ decider }: AnyActorDefinition, state: unknown): readonly Effect[] =>
  (decider.owed?.(state) as readonly Effect[] | undefined) ?? NOTHING_OWED

const OPTIONAL = [
  'snapshotEvery',
  'keyParent',
  'erased',
  'bodiesKept',
  'bodiesCome',
  'isCopied',
  'viewsNotCopied',
  'staysUnknown',
  'isOver',
  'goneAtMs',
  'forgetAfterMs',
  'foldsWhileAlive',
  'tenantOf',
  'perform',
  'isNote',
  'comesLast',
  'onTimer',
  'dated',
  'waitsSince',
] as const
type Optional = (typeof OPTIONAL)[number]

/** What a kind says of itself; a kind that owes something says how it is done. */
export type ActorSpec<Of extends KindTypes> = Omit<ActorDefinition<Of>, Optional> &
  Partial<Pick<ActorDefinition<Of>, Exclude<Optional, 'perform'>>> &
  ([Of['owed']] extends [never] ? { readonly perform?: never } : Pick<ActorDefinition<Of>, 'perform'>)

/** What a kind without an event of erasure says. */
export const neverErased = (): boolean => false

const noneComes = (): boolean => false
const neverOver = (): boolean => false
const neverLast = (): boolean => false
export const neverGone = (): null => null

/** Most kinds have no timers, no personal fields and owe nothing. */
export const actorDefinition = <Of extends KindTypes>(spec: ActorSpec<Of>): ActorDefinition<Of> => ({
  snapshotEvery: 50,
  keyParent: null,
  erased: neverErased,
  bodiesKept: () => null,
  bodiesCome: noneComes,
  isCopied: false,
  viewsNotCopied: [],
  staysUnknown: false,
  isOver: neverOver,
  goneAtMs: neverGone,
  forgetAfterMs: 20_000,
  foldsWhileAlive: false,
  tenantOf: () => null,
  isNote: () => false,
  comesLast: neverLast,
  onTimer: (timerId) => {
    throw new Error(`${spec.kind} has no timer ${timerId}`)
  },
  dated: null,
  waitsSince: () => null,
  ...spec,
  perform: spec.perform ?? (() => Promise.reject(new Error(`${spec.kind} owes nothing`))),
})

/** Every kind of actor that can live here. */
export class Registry {
  readonly #definitions = new Map<string, AnyActorDefinition>()

  constructor(definitions: readonly AnyActorDefinition[]) {
    for (const definition of definitions) {
      if (this.#definitions.has(definition.kind))
        throw new Error(`two kinds of actors are called ${definition.kind}`)
      this.#definitions.set(definition.kind, definition)
    }
  }

  /** Null for a text that is no id, or the id of a kind that does not exist. */
  find(actor: string): { readonly shard: number; readonly definition: AnyActorDefinition } | null {
    const shard = shardOf(actor)
    if (shard === null) return null
    const definition = this.#definitions.get(kindOf(actor))
    return definition === undefined ? null : { shard, definition }
  }
}
