import type { KindTypes } from './decider.ts'

declare const typesOfKind: unique symbol

/** The id of an actor together with the types of its kind: which commands it takes, and what it answers. */
export type Ref<Of extends KindTypes> = string & { readonly [typesOfKind]: Of }

/** Makes the references to one kind of actor. */
export type References<Of extends KindTypes> = {
  /** What ids of this kind begin with. */
  readonly prefix: string
  /** For an id that is known to be of this kind; a reference to another kind does not compile. */
  ref(id: string & { readonly [typesOfKind]?: Of }): Ref<Of>
  /** For a text from outside: null unless it can be the id of an actor of this kind. */
  readonly find: (text: string) => Ref<Of> | null
  /** `unique` is lower-case base 32 or hex. */
  readonly newRef: (shard: number, unique: string) => Ref<Of>
}

export const referencesTo = <Of extends KindTypes>(prefix: string): References<Of> => {
  const idOfKind = new RegExp(`^${prefix}${AFTER_PREFIX}`)
  return {
    prefix,
    ref: (id) => id as Ref<Of>,
    find: (text) => (idOfKind.test(text) ? (text as Ref<Of>) : null),
    newRef: (shard, unique) => actorId(prefix, shard, unique) as Ref<Of>,
  }
}

/** Fixed for ever: every actor id carries its shard, and journals are laid out by it. */
export const SHARD_COUNT = 256

const AFTER_PREFIX = '_[0-9a-f]{2}[0-9a-z]{8,64}$'
const ACTOR_ID = new RegExp(`^[a-z]{2,12}${AFTER_PREFIX}`)

/** `con_7f…`: kind, shard in two hex digits, then what makes it unique. `unique` is lower-case base 32 or hex. */
export const actorId = (kind: string, shard: number, unique: string): string => {
  if (!Number.isInteger(shard) || shard < 0 || shard >= SHARD_COUNT)
    throw new RangeError(`no such shard: ${shard}`)
  const id = `${kind}_${shard.toString(16).padStart(2, '0')}${unique}`
  if (!ACTOR_ID.test(id))
    throw new RangeError('an actor id is kind_ + shard + 8 to 64 lower-case letters and digits')
  return id
}

/** The shard an id names, or null for a text that is no actor id (such ids never become resident actors). */
export const shardOf = (id: string): number | null => {
  return ACTOR_ID.test(id) ? shardDigits(id) : null
}

/** The same for a text that can only be an id; throws for any other. */
export const shardOfActor = (actor: string): number => {
  const shard = shardOf(actor)
  if (shard === null) throw new RangeError(`not the id of an actor: ${actor}`)
  return shard
}

/** The shard of a text that is known to be an id; some number or other for any other text. */
export const shardDigits = (id: string): number => {
  const at = id.indexOf('_') + 1
  return hexDigit(id.charCodeAt(at)) * 16 + hexDigit(id.charCodeAt(at + 1))
}

const CODE_OF_0 = 0x30
const CODE_OF_A = 0x61
const hexDigit = (code: number): number => (code < CODE_OF_A ? code - CODE_OF_0 : code - CODE_OF_A + 10)

export const kindOf = (id: string): string => id.slice(0, id.indexOf('_'))
