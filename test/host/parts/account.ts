import { refuse, type Decider, type Effect, type Timer } from '../../../src/domain/decider.ts'
import { actorDefinition, type ActorDefinition, type Codec } from '../../../src/host/definition.ts'

/** An account with everything a host must handle: refusals, timers, owed effects, erasure, and bugs on demand. */
export type Account = {
  readonly balance: number
  readonly alarms: readonly Timer[]
  readonly payments: readonly string[]
  readonly paid: readonly string[]
  readonly rung: readonly string[]
  readonly erased: boolean
}

export type AccountCommand =
  | { readonly type: 'Deposit'; readonly amount: number }
  | { readonly type: 'DepositTwice'; readonly amount: number }
  | { readonly type: 'Withdraw'; readonly amount: number }
  | { readonly type: 'Read' }
  | { readonly type: 'SetAlarm'; readonly id: string; readonly dueMs: number }
  | { readonly type: 'ClearAlarm'; readonly id: string }
  | { readonly type: 'Ring'; readonly id: string }
  | { readonly type: 'Pay'; readonly id: string }
  | { readonly type: 'RecordPayment'; readonly id: string }
  | { readonly type: 'Ignore' }
  | { readonly type: 'Erase' }
  | { readonly type: 'Crash' }
  | { readonly type: 'DecideImpossibleEvent' }

export type AccountEvent =
  | { readonly type: 'Deposited'; readonly amount: number }
  | { readonly type: 'Withdrawn'; readonly amount: number }
  | { readonly type: 'AlarmSet'; readonly id: string; readonly dueMs: number }
  | { readonly type: 'AlarmCleared'; readonly id: string }
  | { readonly type: 'AlarmRung'; readonly id: string }
  | { readonly type: 'PaymentOwed'; readonly id: string }
  | { readonly type: 'PaymentMade'; readonly id: string }
  | { readonly type: 'Erased' }
  | { readonly type: 'Impossible' }

export type AccountReply = { readonly is: 'done'; readonly balance: number }

export type Payment = Effect & { readonly payment: string }

export type AccountTypes = {
  readonly state: Account
  readonly command: AccountCommand
  readonly event: AccountEvent
  readonly reply: AccountReply
  readonly views: { readonly record: AccountReply }
  readonly owed: Payment
}

const shown = ({ balance }: Account): AccountReply => ({ is: 'done', balance })

const decider: Decider<AccountTypes> = {
  initialState: { balance: 0, alarms: [], payments: [], paid: [], rung: [], erased: false },
  decide: (state, command) =>
    eventsOf(state, command) ?? refuse('forbidden', `The balance is ${state.balance}.`),
  reply: shown,
  views: { record: shown },
  evolve,
  owed: (state) => state.payments.map((payment) => ({ id: `pay-${payment}`, kind: 'pay', payment })),
  timers: (state) => state.alarms,
}

const balanceAfter = (balance: number, event: AccountEvent): number => {
  if (event.type === 'Deposited') return balance + event.amount
  return event.type === 'Withdrawn' ? balance - event.amount : balance
}

const eventsOf = (state: Account, command: AccountCommand): readonly AccountEvent[] | null => {
  switch (command.type) {
    case 'Deposit':
      return [{ type: 'Deposited', amount: command.amount }]
    case 'DepositTwice':
      return [1, 2].map(() => ({ type: 'Deposited', amount: command.amount }))
    case 'Withdraw':
      return command.amount > state.balance ? null : [{ type: 'Withdrawn', amount: command.amount }]
    case 'SetAlarm':
      return [{ type: 'AlarmSet', id: command.id, dueMs: command.dueMs }]
    case 'ClearAlarm':
      return [{ type: 'AlarmCleared', id: command.id }]
    case 'Ring':
      return [{ type: 'AlarmRung', id: command.id }]
    case 'Pay':
      return [{ type: 'PaymentOwed', id: command.id }]
    case 'RecordPayment':
      return state.payments.includes(command.id) ? [{ type: 'PaymentMade', id: command.id }] : []
    case 'Erase':
      return state.erased ? [] : [{ type: 'Erased' }]
    case 'DecideImpossibleEvent':
      return [{ type: 'Impossible' }]
    case 'Crash':
      throw new Error('a bug in the decider')
    case 'Read':
    case 'Ignore':
      return []
  }
}

function evolve(state: Account, event: AccountEvent): Account {
  switch (event.type) {
    case 'Deposited':
    case 'Withdrawn':
      return { ...state, balance: balanceAfter(state.balance, event) }
    case 'AlarmSet':
      return { ...state, alarms: [...without(state, event.id), { id: event.id, dueMs: event.dueMs }] }
    case 'AlarmCleared':
      return { ...state, alarms: without(state, event.id) }
    case 'AlarmRung':
      return { ...state, alarms: without(state, event.id), rung: [...state.rung, event.id] }
    case 'PaymentOwed':
      return { ...state, payments: [...state.payments, event.id] }
    case 'PaymentMade':
      return {
        ...state,
        payments: state.payments.filter((id) => id !== event.id),
        paid: [...state.paid, event.id],
      }
    case 'Erased':
      return { ...state, erased: true }
    case 'Impossible':
      throw new Error('an event that is impossible in this state')
  }
}

const without = (state: Account, id: string): readonly Timer[] =>
  state.alarms.filter((alarm) => alarm.id !== id)

/** All of it is personal: `erased` is what is left when its key is gone. */
const json = <Value>(erased: Value): Codec<Value> => ({
  encode: (value, seal) =>
    seal === null ? JSON.stringify(value) : `"${seal.seal(JSON.stringify(value), 'event')}"`,
  decode: (text, seal) => {
    if (seal === null) return JSON.parse(text) as Value
    const opened = seal.open(JSON.parse(text) as string, 'event')
    return opened === null ? erased : (JSON.parse(opened) as Value)
  },
})

export type AccountDefinition = ActorDefinition<AccountTypes>

export const accountDefinition = (changes: Partial<AccountDefinition> = {}): AccountDefinition =>
  actorDefinition<AccountTypes>({
    kind: 'acc',
    decider,
    events: json<AccountEvent>({ type: 'Erased' }),
    snapshots: json<Account>({ ...decider.initialState, erased: true }),
    snapshotEvery: 100,
    erased: (state) => state.erased,
    perform: async (payment) => ({ type: 'RecordPayment', id: payment.payment }),
    onTimer: (id) => ({ type: 'Ring', id }),
    ...changes,
  })

export const alice = 'acc_00aaaaaaaa'
export const bob = 'acc_00bbbbbbbb'
export const deposit = (amount: number): AccountCommand => ({ type: 'Deposit', amount })
export const read: AccountCommand = { type: 'Read' }
