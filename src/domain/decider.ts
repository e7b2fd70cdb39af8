import type { Code } from './codes.ts'

/** Something that the state of an actor says must still happen outside; only the event that records its outcome clears it. */
export type Effect = { readonly id: string; readonly kind: string }

/** A wake-up that the state asks for. The state is the truth: a row that fires and is not in `timers(state)` is stale. */
export type Timer = { readonly id: string; readonly dueMs: number }

/** All types of one kind of actor in one place: its rules, its stored form and every reference to it are made of them. */
export type KindTypes = {
  readonly state: unknown
  readonly command: unknown
  readonly event: unknown
  /** The answer to a command that was not refused. */
  readonly reply: unknown
  /** What can be read of it, by name; most kinds have only the `record`. */
  readonly views: Readonly<Record<string, unknown>>
  /** `never` for a kind that owes nothing. */
  readonly owed: Effect
}

/**
 * A pure state machine. No clock, randomness, await, cryptography or logger: times, ids and results of cryptography
 * arrive inside the command.
 */
export type Decider<Of extends KindTypes> = {
  readonly initialState: Of['state']
  /** What happens; an empty list when the command changes nothing. A refusal is a value and changes nothing either. */
  readonly decide: (state: Of['state'], command: Of['command']) => readonly Of['event'][] | Refused
  /** Throws on an event that is impossible in the state. */
  readonly evolve: (state: Of['state'], event: Of['event']) => Of['state']
  /**
   * Built once, from the state after the command. A repeated command is answered from the newest state again, because
   * a reply is never stored: it may hold secrets.
   */
  readonly reply: (state: Of['state'], command: Of['command']) => Of['reply']
  readonly views: {
    readonly [Name in keyof Of['views']]: (state: Of['state']) => Of['views'][Name] | Refused
  }
  readonly owed?: (state: Of['state']) => readonly Of['owed'][]
  readonly timers?: (state: Of['state']) => readonly Timer[]
}

export const NOTHING_HAPPENS: readonly never[] = []

export const atMostOne = <Event>(event: Event | null): readonly Event[] =>
  event === null ? NOTHING_HAPPENS : [event]

/** For `evolve`: the journal holds an event that this state cannot have led to. */
export const impossibleEvent = (event: { readonly type: string }, state: string): Error =>
  new Error(`${event.type} is impossible in ${state}`)

/**
 * Why the rules refuse. Callers of the API meet the codes alone; a message of a wallet that comes after the end of its
 * exchange (`message_late`) or out of turn (`message_unexpected`) is answered by a problem report.
 */
export type Refusal = Code | 'message_late' | 'message_unexpected'

/** Only types have it: it tells a refusal from whatever else has its fields. */
declare const refusal: unique symbol

/** A refusal of the rules: a value, not an exception. */
export type Refused = {
  readonly refused: Refusal
  readonly reason: string
  readonly [refusal]?: never
}

export type KeyOfRefusals = typeof refusal

export const refuse = (refused: Refusal, reason: string): Refused => ({ refused, reason })

/** Known by its two texts, also when it has come from another node; no kind may have a reply, a view or an event with `refused`. */
export const isRefused = (reply: unknown): reply is Refused =>
  typeof reply === 'object' &&
  reply !== null &&
  'refused' in reply &&
  typeof reply.refused === 'string' &&
  'reason' in reply &&
  typeof reply.reason === 'string'
