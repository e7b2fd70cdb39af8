import {
  NOTHING_HAPPENS,
  impossibleEvent,
  isRefused,
  type Decider,
  type Effect,
  type Refused,
  type Timer,
} from './decider.ts'

type Named = { readonly type: string }
type NoRecord = { readonly status: 'none' }
type Happened = Named & { readonly atMs: number }
type Existing = { readonly status: string }

/** The types of a kind of record: its first command creates it, and until then there is none. */
export type RecordTypes<
  Record extends Existing,
  Command extends Named,
  Event extends Happened,
  Owed extends Effect = never,
> = {
  readonly state: NoRecord | Record
  readonly command: Command
  readonly event: Event
  readonly reply: Record
  readonly views: { readonly record: Record }
  readonly owed: Owed
}
type AnyRecordTypes = RecordTypes<Existing, Named, Happened, Effect>

type OneOf<Union, Type> = Extract<Union, { readonly type: Type }>
type OthersThan<Union, Type> = Exclude<Union, { readonly type: Type }>
type Decided<Of extends AnyRecordTypes> = readonly Of['event'][] | Refused

type RecordRules<Of extends AnyRecordTypes, Create, Created> = {
  /** The answer where there is no record. */
  readonly unknown: Refused
  /** The command that creates the record, and its event. */
  readonly first: readonly [Create, Created]
  readonly create: (command: OneOf<Of['command'], Create>) => OneOf<Of['event'], Created> | Refused
  /** From what that event says beside its type and time. */
  readonly created: (facts: Omit<OneOf<Of['event'], Created>, 'type' | 'atMs'>, atMs: number) => Of['reply']
  /** The first command to a record that there is; without it nothing happens, because it is the same once more. */
  readonly again?: (record: Of['reply'], command: OneOf<Of['command'], Create>) => Decided<Of>
  readonly decide: (record: Of['reply'], command: OthersThan<Of['command'], Create>) => Decided<Of>
  readonly evolve: (record: Of['reply'], event: OthersThan<Of['event'], Created>) => Of['reply']
  readonly owed?: (record: Of['reply']) => readonly Of['owed'][]
  readonly timers?: (record: Of['reply']) => readonly Timer[]
}

const nothing = (): readonly never[] => NOTHING_HAPPENS

/** The rules of a kind of record. What a kind gives meets only a record that there is. */
export const recordDecider = <
  Of extends AnyRecordTypes,
  const Create extends Of['command']['type'],
  const Created extends Of['event']['type'],
>({
  unknown,
  first: [createType, createdType],
  again = nothing,
  owed = nothing,
  timers = nothing,
  ...rules
}: RecordRules<Of, Create, Created>): Decider<Of> => {
  type First = OneOf<Of['command'], Create>
  type Other = OthersThan<Of['command'], Create>
  const created = (command: First): Decided<Of> => {
    const event = rules.create(command)
    return isRefused(event) ? event : [event]
  }
  const record = (state: Of['state']) => (state.status === 'none' ? unknown : state)
  return {
    initialState: { status: 'none' },
    decide: (state, command) => {
      if (command.type === createType)
        return state.status === 'none' ? created(command as First) : again(state, command as First)
      return state.status === 'none' ? unknown : rules.decide(state, command as Other)
    },
    evolve: (state, event) => {
      if ((event.type === createdType) !== (state.status === 'none'))
        throw impossibleEvent(event, state.status)
      if (state.status !== 'none') return rules.evolve(state, event as OthersThan<Of['event'], Created>)
      const { type: _, atMs, ...facts } = event as OneOf<Of['event'], Created>
      return rules.created(facts, atMs)
    },
    reply: (state) => state,
    views: { record } as unknown as Decider<Of>['views'],
    owed: (state) => (state.status === 'none' ? NOTHING_HAPPENS : owed(state)),
    timers: (state) => (state.status === 'none' ? NOTHING_HAPPENS : timers(state)),
  }
}
