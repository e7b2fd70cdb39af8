// The smallest actor that is still a real one: a balance, one event a command, a timer where it is asked for.
import { referencesTo } from '../../src/domain/references.ts'
import type { ActorDefinition, Codec } from '../../src/host/definition.ts'
import { actorDefinition } from '../../src/host/definition.ts'

export type Account = { readonly balance: number; readonly alarmMs: number | null }
export type AccountCommand =
  | { readonly type: 'Deposit'; readonly amount: number }
  | { readonly type: 'Read' }
  | { readonly type: 'SetAlarm'; readonly dueMs: number }
  | { readonly type: 'Ring' }
export type AccountEvent =
  | { readonly type: 'Deposited'; readonly amount: number; readonly note: string }
  | { readonly type: 'AlarmSet'; readonly dueMs: number }
  | { readonly type: 'AlarmRung' }
export type AccountReply = { readonly balance: number }

/** Brings an event to about the size of a state change of an exchange. */
const NOTE = 'the quick brown fox jumps over the lazy dog and the lazy dog does not mind'

const json = <Value>(): Codec<Value> => ({
  encode: (value) => JSON.stringify(value),
  decode: (text) => JSON.parse(text) as Value,
})

const eventOf = (command: AccountCommand): AccountEvent | null => {
  if (command.type === 'Deposit') return { type: 'Deposited', amount: command.amount, note: NOTE }
  if (command.type === 'SetAlarm') return { type: 'AlarmSet', dueMs: command.dueMs }
  return command.type === 'Ring' ? { type: 'AlarmRung' } : null
}

const evolve = (state: Account, event: AccountEvent): Account => {
  if (event.type === 'Deposited') return { ...state, balance: state.balance + event.amount }
  return { ...state, alarmMs: event.type === 'AlarmSet' ? event.dueMs : null }
}

export type AccountTypes = {
  readonly state: Account
  readonly command: AccountCommand
  readonly event: AccountEvent
  readonly reply: AccountReply
  readonly views: { readonly record: AccountReply }
  readonly owed: never
}

export const accounts = referencesTo<AccountTypes>('acc')

export type AccountDefinition = ActorDefinition<AccountTypes>

export const accountDefinition = (rung: () => void = () => undefined): AccountDefinition =>
  actorDefinition<AccountTypes>({
    kind: 'acc',
    decider: {
      initialState: { balance: 0, alarmMs: null },
      decide: (_, command) => {
        const event = eventOf(command)
        return event === null ? NOTHING : [event]
      },
      reply: ({ balance }) => ({ balance }),
      evolve,
      views: { record: ({ balance }) => ({ balance }) },
      timers: ({ alarmMs }) => (alarmMs === null ? NOTHING : [{ id: 'alarm', dueMs: alarmMs }]),
    },
    events: json<AccountEvent>(),
    snapshots: json<Account>(),
    snapshotEvery: 100,
    onTimer: () => {
      rung()
      return { type: 'Ring' }
    },
  })

const NOTHING: readonly never[] = []

export const accountId = (index: number): string =>
  `acc_${(index % 256).toString(16).padStart(2, '0')}${index.toString().padStart(26, '0')}`
