import type { KindTypes } from './decider.ts'
import { actorId, kindOf, shardOf } from './shards.ts'

declare const typesOfKind: unique symbol

/** The id of an actor together with the types of its kind: which commands it takes, and what it answers. */
export type Ref<Of extends KindTypes> = string & { readonly [typesOfKind]: Of }

/** Makes the references to one kind of actor. */
export type References<Of extends KindTypes> = {
  /** What ids of this kind begin with. */
  readonly prefix: string
  /** For an id that is known to be of this kind. */
  readonly ref: (id: string) => Ref<Of>
  /** For a text from outside: null unless it can be the id of an actor of this kind. */
  readonly find: (text: string) => Ref<Of> | null
  /** `unique` is lower-case base 32 or hex. */
  readonly newRef: (shard: number, unique: string) => Ref<Of>
}

export const referencesTo = <Of extends KindTypes>(prefix: string): References<Of> => ({
  prefix,
  ref: (id) => id as Ref<Of>,
  find: (text) => (shardOf(text) !== null && kindOf(text) === prefix ? (text as Ref<Of>) : null),
  newRef: (shard, unique) => actorId(prefix, shard, unique) as Ref<Of>,
})
