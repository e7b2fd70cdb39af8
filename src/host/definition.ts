import type { Decider, Effect } from '../domain/decider.ts'

/** Text in the journal for one event or state. Validates before write and after read; upcasts old versions. */
export type Codec<Value> = {
  /** `seal` is null for kinds without personal fields. */
  encode(value: Value, seal: FieldSeal | null): string
  decode(text: string, seal: FieldSeal | null): Value
}

export type FieldSeal = {
  seal(plain: string, context: string): string
  open(sealed: string, context: string): string | null
}

/** What an effect handler gets: who owes it, and when to give up because the shard moves or the process stops. */
export type EffectContext = {
  readonly actor: string
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
  leave(): void
  /** Stands in line for a recipient from here on; absent where every gate is a recipient's already. */
  forward?(recipient: string): Promise<void> | null
}

export type ActorDefinition<State, Command, Event, Reply, Owed extends Effect = Effect> = {
  /** Also the prefix of the ids. */
  readonly kind: string
  readonly decider: Decider<State, Command, Event, Reply, Owed>
  readonly events: Codec<Event>
  readonly snapshots: Codec<State>
  readonly snapshotEvery: number
  /** Kinds with personal fields have a data key; its parents are known from the command that creates the actor. */
  readonly keyParent:
    | ((actor: string, first: Command) => { tenant: string; connection: string | null })
    | null
  /** True when the state says its personal data is erased: the host deletes the data key after that commit. */
  readonly erased: (state: State) => boolean
  /**
   * Does what is owed and answers with the command that records the outcome. At-least-once, stable effect id; a throw
   * means "not yet": the host tries again with backoff for as long as the state owes it.
   */
  readonly perform: (effect: Owed, context: EffectContext) => Promise<Command>
  /** For effects that must not wait for each other although they are of one kind; without it a kind shares the host's slots, organisation by organisation. */
  readonly gate?: (effect: Owed) => EffectGate
  readonly onTimer: (timerId: string, atMs: number) => Command
}

// The registry holds definitions of every kind; each is checked where it is defined.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyActorDefinition = ActorDefinition<any, any, any, any, any>

export const defineActor = <State, Command, Event, Reply, Owed extends Effect = Effect>(
  definition: ActorDefinition<State, Command, Event, Reply, Owed>,
): ActorDefinition<State, Command, Event, Reply, Owed> => definition
