import { describe, expect, it } from 'vitest'
import {
  type ActingCommand,
  actingDecider,
  type ActingEvent,
  type ActingState,
} from '../../../src/actors/acting/rules.ts'
import { runDecider } from '../../domain/run-decider.ts'

const HOUR_MS = 3_600_000
const facts = {
  organisation: 'ten_00aaaaaaaa',
  operatorId: 'acc_00operator',
  sealedReason: 'ciphertext',
  mayChange: false,
}
const begin = (atMs: number): ActingCommand => ({ type: 'BeginActing', atMs, ...facts })
const end = (atMs: number): ActingCommand => ({ type: 'EndActing', atMs })
const runOut = (number: number): ActingCommand => ({ type: 'LetActingRunOut', atMs: 9 * HOUR_MS, number })

const run = (...commands: readonly ActingCommand[]) => {
  const { state, events, replies } = runDecider(actingDecider, commands)
  return { state, events: events.map(({ type }) => type), reply: replies.at(-1) }
}
const owed = (state: ActingState) => actingDecider.owed?.(state)
const timers = (state: ActingState) => actingDecider.timers?.(state)

describe('acting for an organisation', () => {
  it('lasts an hour from its beginning, and wakes at its end', () => {
    const { state, reply } = run(begin(1_000))
    expect(reply).toEqual({ ...facts, startedAtMs: 1_000, endsAtMs: 1_000 + HOUR_MS })
    expect(timers(state)).toEqual([{ id: 'end-1', dueMs: 1_000 + HOUR_MS }])
    expect(owed(state)).toEqual([])
  })

  it('that ends by its operator owes the organisation a line, until it stands in the log', () => {
    const { state, reply } = run(begin(1_000), end(2_000))
    expect(reply).toBeNull()
    expect(timers(state)).toEqual([])
    const { organisation, operatorId } = facts
    const ended = { number: 1, organisation, operatorId, by: 'operator', atMs: 2_000 }
    expect(owed(state)).toEqual([{ id: 'report-1', kind: 'report-acting-end', end: ended }])
    const note: ActingCommand = { type: 'RecordEndReported', number: 1, atMs: 3_000 }
    expect(owed(run(begin(1_000), end(2_000), note).state)).toEqual([])
    expect(run(begin(1_000), end(2_000), note, note).events).toHaveLength(3)
  })

  it('that ran out ended when it should have, whoever notices', () => {
    for (const command of [runOut(1), end(9 * HOUR_MS)])
      expect(run(begin(1_000), command).state.unreported).toMatchObject([
        { by: 'time', atMs: 1_000 + HOUR_MS },
      ])
  })

  it('is not ended by a wake-up of the period before', () => {
    const { state } = run(begin(1_000), end(2_000), begin(3_000), runOut(1))
    expect(state).toMatchObject({ number: 2, period: { startedAtMs: 3_000 } })
  })

  it('that begins anew ends what was before', () => {
    const { events, state } = run(begin(1_000), begin(2_000))
    expect(events).toEqual(['ActingBegun', 'ActingEnded', 'ActingBegun'])
    expect(state).toMatchObject({ number: 2, unreported: [{ number: 1, by: 'operator', atMs: 2_000 }] })
  })

  it('changes nothing where nobody acts', () => {
    expect(run(end(1), runOut(0)).events).toEqual([])
  })

  it('is refused while so many ends do not stand in the log', () => {
    const many = Array.from({ length: 21 }, (_, index) => begin(index))
    expect(run(...many).state.unreported).toHaveLength(20)
    const full = run(...many).state
    expect(actingDecider.decide(full, begin(99))).toMatchObject({ refused: 'overloaded' })
  })

  it('cannot begin twice or end without having begun', () => {
    const { state } = run(begin(1))
    expect(() => actingDecider.evolve(state, { type: 'ActingBegun', atMs: 2, ...facts })).toThrow(
      'ends before',
    )
    const ended: ActingEvent = { type: 'ActingEnded', atMs: 2, by: 'time' }
    expect(() => actingDecider.evolve(actingDecider.initialState, ended)).toThrow('before it begins')
  })
})
