import { describe, expect, it } from 'vitest'
import { ActorState } from '../../../src/host/state/actor-state.ts'
import { unwrapSnapshot } from '../../../src/host/state/snapshot-envelope.ts'
import type { Handled } from '../../../src/host/state/decision.ts'
import type { JournalEntry, StoredActor, StoredEvent } from '../../../src/ports/journal.ts'
import { OWED_TIMER } from '../../../src/host/timers/shard-timers.ts'
import { accountDefinition, deposit, type Account } from '../parts/account.ts'

const actor = 'acc_00aaaaaaaa'
const definition = accountDefinition()
const newCell = () => new ActorState(definition, actor)

const decided = (handled: Handled) => {
  if (handled.is !== 'decided') throw new Error('the state wants a key')
  return handled
}
const entryOf = (handled: Handled): JournalEntry => {
  const { entry } = decided(handled)
  if (entry === null) throw new Error('the command had no events')
  return entry
}
const stored = (entries: readonly JournalEntry[]): StoredActor => ({
  snapshot: null,
  events: entries.flatMap(({ seq, commandId, events }): StoredEvent[] =>
    events.map((data, index) => ({ seq: seq + index, commandId, data })),
  ),
})

describe('the last snapshot', () => {
  it.each([
    { what: 'keeps', erased: () => false, ids: ['a'] },
    { what: 'of an erased record no longer keeps', erased: () => true, ids: [] },
  ])('$what the ids of commands', ({ erased, ids }) => {
    const state = new ActorState({ ...definition, erased }, actor)
    state.handle(deposit(5), 'a', 0)
    state.commit()
    expect(unwrapSnapshot(state.lastSnapshot().data ?? '').recentCommands).toEqual(ids)
  })
})

describe('deciding ahead', () => {
  it('numbers the events of an actor without a gap', () => {
    const state = newCell()
    expect(entryOf(state.handle({ type: 'DepositTwice', amount: 1 }, 'a', 0)).seq).toBe(1)
    expect(entryOf(state.handle(deposit(1), 'b', 0)).seq).toBe(3)
    expect(state.seq).toBe(3)
    expect(state.committedSeq).toBe(0)
  })

  it('decides on what is not committed yet', () => {
    const state = newCell()
    state.handle(deposit(5), 'a', 0)
    expect(decided(state.handle({ type: 'Withdraw', amount: 5 }, 'b', 0)).reply).toEqual({
      is: 'done',
      balance: 0,
    })
    expect((state.committedState as Account).balance).toBe(0)
    state.commit()
    expect((state.committedState as Account).balance).toBe(5)
  })

  it('takes everything back after a failed append', () => {
    const state = newCell()
    state.handle(deposit(5), 'a', 0)
    state.commit()
    state.handle(deposit(1), 'b', 0)
    state.handle({ type: 'Pay', id: 'p' }, 'c', 0)
    state.discard()
    expect(state.state).toEqual({ ...definition.decider.initialState, balance: 5 })
    expect(state.seq).toBe(1)
    expect(state.owedRow).toBeNull()
    expect(state.knows('a')).toBe(true)
    expect(state.knows('b')).toBe(false)
  })

  it('takes back only the end when a whole is refused', () => {
    const state = newCell()
    state.handle(deposit(5), 'a', 0)
    const mark = state.uncommitted
    state.handle(deposit(1), 'b', 0)
    state.discard(mark)
    expect((state.state as Account).balance).toBe(5)
    expect(state.uncommitted).toBe(1)
    expect(state.knows('a')).toBe(true)
  })

  it.each(['Crash', 'DecideImpossibleEvent'] as const)('is unchanged after a bug (%s)', (type) => {
    const state = newCell()
    state.handle(deposit(5), 'a', 0)
    expect(() => state.handle({ type }, 'b', 0)).toThrow()
    expect((state.state as Account).balance).toBe(5)
    expect(state.uncommitted).toBe(1)
    expect(entryOf(state.handle(deposit(1), 'c', 0)).seq).toBe(2)
  })
})

describe('repetition', () => {
  it('answers a command it has seen from the state, without events', () => {
    const state = newCell()
    state.handle(deposit(5), 'a', 0)
    expect(decided(state.handle(deposit(5), 'a', 0))).toEqual({
      is: 'decided',
      reply: { is: 'done', balance: 5 },
      entry: null,
    })
  })

  it('remembers the last 64 commands that had events, and every uncommitted one', () => {
    const state = newCell()
    for (let index = 0; index < 200; index++) state.handle(deposit(1), `c${index}`, 0)
    expect(state.knows('c0')).toBe(true)
    for (let index = 0; index < 200; index++) state.commit()
    expect(state.knows('c0')).toBe(false)
    expect(state.knows('c136')).toBe(true)
  })

  it('decides a refused command again', () => {
    const state = newCell()
    expect(decided(state.handle({ type: 'Withdraw', amount: 1 }, 'a', 0)).reply).toHaveProperty('refused')
    state.handle(deposit(1), 'b', 0)
    expect(decided(state.handle({ type: 'Withdraw', amount: 1 }, 'a', 0)).reply).toMatchObject({ is: 'done' })
  })

  it('remembers across recovery, with and without a snapshot', () => {
    const state = new ActorState(accountDefinition({ snapshotEvery: 2 }), actor)
    const entries = ['a', 'b', 'c'].map((id) => entryOf(state.handle(deposit(1), id, 0)))
    state.commit()
    expect(state.snapshotDue()).toBeNull()
    state.commit()
    const snapshot = state.snapshotDue()
    expect(snapshot?.seq).toBe(2)
    expect(state.snapshotDue()).toBeNull()
    for (const events of [stored(entries), { ...stored(entries), snapshot }]) {
      const recovered = ActorState.recover(definition, actor, events, null)
      expect((recovered.state as Account).balance).toBe(3)
      expect(recovered.seq).toBe(3)
      for (const id of ['a', 'b', 'c']) expect(recovered.knows(id)).toBe(true)
    }
  })

  it('does not recover over a gap', () => {
    const state = newCell()
    const entries = ['a', 'b', 'c'].map((id) => entryOf(state.handle(deposit(1), id, 0)))
    expect(() =>
      ActorState.recover(definition, actor, stored(entries.filter((_, index) => index !== 1)), null),
    ).toThrow('event 3 after event 1')
  })
})

describe('timers', () => {
  it('are written with the decision that sets, moves or clears them', () => {
    const state = newCell()
    const row = (dueMs: number) => ({ actor, timerId: 't', dueMs })
    const set = entryOf(state.handle({ type: 'SetAlarm', id: 't', dueMs: 10 }, null, 0))
    expect([set.timersSet, set.timersCleared]).toEqual([[row(10)], []])
    const moved = entryOf(state.handle({ type: 'SetAlarm', id: 't', dueMs: 20 }, null, 0))
    expect([moved.timersSet, moved.timersCleared]).toEqual([[row(20)], [row(10)]])
    const untouched = entryOf(state.handle(deposit(1), null, 0))
    expect([untouched.timersSet, untouched.timersCleared]).toEqual([[], []])
    const cleared = entryOf(state.handle({ type: 'ClearAlarm', id: 't' }, null, 0))
    expect([cleared.timersSet, cleared.timersCleared]).toEqual([[], [row(20)]])
  })

  it('are stale when the state asks for another time or none', () => {
    const state = newCell()
    state.handle({ type: 'SetAlarm', id: 't', dueMs: 10 }, null, 0)
    expect(state.asksFor({ actor, timerId: 't', dueMs: 10 })).toBe(true)
    expect(state.asksFor({ actor, timerId: 't', dueMs: 11 })).toBe(false)
    expect(state.asksFor({ actor, timerId: OWED_TIMER, dueMs: 10 })).toBe(false)
  })
})

describe('what is owed', () => {
  it('has one wake-up row, from the first debt to the last outcome', () => {
    const state = newCell()
    const row = { actor, timerId: OWED_TIMER, dueMs: 7 }
    expect(entryOf(state.handle({ type: 'Pay', id: 'p' }, null, 7)).timersSet).toEqual([row])
    expect(entryOf(state.handle({ type: 'Pay', id: 'q' }, null, 8)).timersSet).toEqual([])
    expect(entryOf(state.handle({ type: 'RecordPayment', id: 'p' }, null, 9)).timersCleared).toEqual([])
    expect(state.asksFor(row)).toBe(true)
    expect(entryOf(state.handle({ type: 'RecordPayment', id: 'q' }, null, 9)).timersCleared).toEqual([row])
    expect(state.asksFor(row)).toBe(false)
  })

  it('clears the row where it was moved to', () => {
    const state = newCell()
    state.handle({ type: 'Pay', id: 'p' }, null, 7)
    const moved = { actor, timerId: OWED_TIMER, dueMs: 99 }
    state.owedRow = moved
    expect(entryOf(state.handle({ type: 'RecordPayment', id: 'p' }, null, 8)).timersCleared).toEqual([moved])
  })

  it('includes the deletion of the data key until the key is gone', () => {
    const state = new ActorState(
      accountDefinition({ keyParent: () => ({ tenant: 't', connection: null }) }),
      actor,
    )
    expect(state.handle({ type: 'Read' }, null, 0).is).toBe('decided')
    expect(state.handle(deposit(1), null, 0)).toEqual({ is: 'needs-key' })
    state.seal = { seal: (plain) => plain, open: (sealed) => sealed }
    state.handle(deposit(1), null, 0)
    const row = { actor, timerId: OWED_TIMER, dueMs: 5 }
    expect(entryOf(state.handle({ type: 'Erase' }, null, 5)).timersSet).toEqual([row])
    expect(entryOf(state.handle(deposit(1), null, 6)).timersSet).toEqual([])
    expect(state.asksFor(row)).toBe(true)
    state.keyErased = true
    expect(state.asksFor(row)).toBe(false)
  })
})
