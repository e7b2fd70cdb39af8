import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import {
  deliveryDecider,
  goneAtMs,
  pauseAfterMs,
  type DeliveryCommand,
  type DeliveryJournalEvent,
  type DeliveryPending,
  type DeliveryTypes,
} from '../../../src/actors/webhook-delivery/rules.ts'
import { runDecider } from '../../domain/run-decider.ts'
import { itFollowsItsTable, runPath, type Machine } from '../../domain/transition-table.ts'

const create: DeliveryCommand = {
  type: 'CreateDelivery',
  atMs: 1_000,
  tenant: 'ten_00aaaaaaaa',
  endpoint: 'whk_00aaaaaaaa',
  event: {
    id: 'evt_cre_00aaaaaaaa_1',
    type: 'credential.state_changed',
    createdAtMs: 900,
    recordType: 'credential',
    recordId: 'cre_00aaaaaaaa',
    data: { state: 'offer-sent' },
    sealed: null,
  },
}
const outcome = (number: number, atMs: number, status: number | null): DeliveryCommand => ({
  type: 'RecordDeliveryAttempt',
  atMs,
  number,
  attempt: { atMs, url: 'https://r.example', status, durationMs: 3, error: status === 200 ? null : 'no' },
})
const timer = (atMs: number): DeliveryCommand => ({ type: 'AttemptDelivery', atMs })
const retry: DeliveryCommand = { type: 'RetryDelivery', atMs: 99_000_000 }
const hold: DeliveryCommand = { type: 'HoldDelivery', atMs: 2_000 }
const resume: DeliveryCommand = { type: 'ResumeDelivery', atMs: 80_000_000 }
const forget: DeliveryCommand = { type: 'ForgetDelivery', atMs: 99_000_000 }

type Column =
  | 'none'
  | 'pending (due)'
  | 'pending (waiting)'
  | 'pending (held)'
  | 'delivered'
  | 'dead'
  | 'forgotten'

/** Fails as often as it takes. */
const failedThrough = (count: number): readonly DeliveryCommand[] => {
  const path: DeliveryCommand[] = [create]
  let atMs = 1_000
  for (let number = 1; number <= count; number++) {
    if (number > 1) path.push(timer((atMs += pauseAfterMs(number - 1))))
    path.push(outcome(number, atMs, 500))
  }
  return path
}
const paths: Record<Column, readonly DeliveryCommand[]> = {
  none: [],
  'pending (due)': [create],
  'pending (waiting)': failedThrough(1),
  'pending (held)': [create, hold],
  delivered: [create, outcome(1, 1_000, 200)],
  dead: failedThrough(limits.webhookAttemptsMax),
  forgotten: [create, outcome(1, 1_000, 200), forget],
}
const commands = {
  CreateDelivery: create,
  AttemptDelivery: timer(50_000_000),
  'RecordDeliveryAttempt (2xx)': outcome(1, 60_000, 200),
  'RecordDeliveryAttempt (failed)': outcome(1, 60_000, 500),
  HoldDelivery: hold,
  ResumeDelivery: resume,
  RetryDelivery: retry,
  ForgetDelivery: forget,
} as const satisfies Record<string, DeliveryCommand>

const machine: Machine<DeliveryTypes> = { decider: deliveryDecider, paths, commands }

const eventsOf = (
  state: DeliveryTypes['state'],
  command: DeliveryCommand,
): readonly DeliveryJournalEvent[] => {
  const decided = deliveryDecider.decide(state, command)
  return isRefused(decided) ? [] : decided
}
describe('a webhook delivery', () => {
  itFollowsItsTable('WEBHOOKS.md', machine)

  it('owes an attempt as soon as it exists, and between attempts has a timer instead', () => {
    const due = runPath(machine, 'pending (due)')
    expect(deliveryDecider.owed?.(due)).toMatchObject([
      { id: 'evt_cre_00aaaaaaaa_1:1', kind: 'attempt-delivery' },
    ])
    expect(deliveryDecider.timers?.(due)).toEqual([])
    const waiting = runPath(machine, 'pending (waiting)')
    expect(deliveryDecider.owed?.(waiting)).toEqual([])
    expect(deliveryDecider.timers?.(waiting)).toEqual([{ id: 'attempt', dueMs: 1_000 + 5_000 }])
  })

  it('is never attempted earlier than the schedule says', () => {
    const waiting = runPath(machine, 'pending (waiting)')
    expect(deliveryDecider.decide(waiting, timer(5_999))).toEqual([])
    expect(deliveryDecider.decide(waiting, timer(6_000))).toMatchObject([{ type: 'DeliveryFellDue' }])
  })

  it.each([null, 199, 300, 302, 404, 410, 500])('is not delivered by the answer %s', (status) => {
    const due = runPath(machine, 'pending (due)')
    expect(deliveryDecider.decide(due, outcome(1, 2_000, status))).toMatchObject([
      { outcome: 'failed', nextAttemptAtMs: 7_000 },
    ])
  })

  it('is dead after twelve attempts, and a retry begins the schedule anew', () => {
    const dead = runPath(machine, 'dead')
    expect(dead).toMatchObject({ status: 'dead', attempts: 12 })
    const again = runPath({ ...machine, paths: { again: [...paths.dead, retry] } }, 'again')
    expect(again).toMatchObject({ status: 'pending', due: true, attempts: 12, attemptsBefore: 12 })
    expect(deliveryDecider.decide(again, outcome(13, 99_000_000, 500))).toMatchObject([
      { outcome: 'failed', nextAttemptAtMs: 99_005_000 },
    ])
  })

  it('begins the schedule anew where it was delivered, and waits no longer where it waits', () => {
    const again = runPath({ ...machine, paths: { again: [...paths.delivered, retry] } }, 'again')
    expect(again).toMatchObject({ status: 'pending', due: true, attempts: 1, attemptsBefore: 1 })
    const now = runPath({ ...machine, paths: { now: [...paths['pending (waiting)'], retry] } }, 'now')
    expect(now).toMatchObject({ status: 'pending', due: true, attempts: 1, attemptsBefore: 0 })
  })

  it('owes nothing and waits for no time while it is held, and counts no attempt for it', () => {
    const held = runPath(machine, 'pending (held)')
    expect([deliveryDecider.owed?.(held), deliveryDecider.timers?.(held)]).toEqual([[], []])
    const resumed = runPath({ ...machine, paths: { resumed: [create, hold, resume] } }, 'resumed')
    expect(resumed).toMatchObject({ status: 'pending', due: true, attempts: 0, nextAttemptAtMs: 80_000_000 })
    expect(resumed).not.toHaveProperty('isHeld')
    // Whatever has kept it from the walk that resumes: by hand it goes out.
    const retried = runPath({ ...machine, paths: { retried: [create, hold, retry] } }, 'retried')
    expect(retried).toMatchObject({ status: 'pending', due: true, attempts: 0, attemptsBefore: 0 })
  })

  it('keeps the newest attempts alone, however often it is retried', () => {
    let state: DeliveryTypes['state'] = runPath(machine, 'dead')
    const apply = (command: DeliveryCommand): void => {
      for (const event of eventsOf(state, command)) state = deliveryDecider.evolve(state, event)
    }
    let atMs = 100_000_000
    for (let number = 13; number <= 60; number++) {
      apply({ type: 'RetryDelivery', atMs })
      apply(timer((atMs += 3_600_000)))
      apply(outcome(number, atMs, null))
    }
    expect(state).toMatchObject({ attempts: 60 })
    expect('attemptLog' in state && state.attemptLog.length).toBe(24)
  })

  it('ends delivered or dead, with at most twelve attempts, in any order of commands', () => {
    const command = fc.oneof(
      fc.constant(create),
      fc.nat(20_000_000).map(timer),
      fc
        .tuple(fc.integer({ min: 1, max: 13 }), fc.nat(20_000_000), fc.constantFrom(200, 500, null))
        .map(([number, atMs, status]) => outcome(number, atMs, status)),
    )
    fc.assert(
      fc.property(fc.array(command, { maxLength: 200 }), (given) => {
        let state: DeliveryTypes['state'] = deliveryDecider.initialState
        let delivered = 0
        for (const each of given) {
          for (const event of eventsOf(state, each)) {
            if (event.type === 'DeliveryAttempted' && event.outcome === 'delivered') delivered++
            state = deliveryDecider.evolve(state, event)
          }
          const asked = [...(deliveryDecider.owed?.(state) ?? []), ...(deliveryDecider.timers?.(state) ?? [])]
          expect(asked).toHaveLength(state.status === 'pending' ? 1 : 0)
        }
        expect(delivered).toBeLessThanOrEqual(1)
        if (state.status !== 'none') expect(state.attempts).toBeLessThanOrEqual(12)
      }),
    )
  })

  it('goes whole when it is forgotten, and not while the stream may still bring its event again', () => {
    const forgottenAt = (atMs: number) =>
      goneAtMs(runDecider(deliveryDecider, [create, outcome(1, 1_000, 200), { ...forget, atMs }]).state)
    const laterMs = 9 * 86_400_000
    expect([forgottenAt(laterMs), forgottenAt(86_400_000)]).toEqual([laterMs, 1_000 + 8 * 86_400_000])
    expect(goneAtMs(runPath(machine, 'delivered'))).toBeNull()
  })

  it('refuses a journal that cannot have happened', () => {
    const due = runPath(machine, 'pending (due)') as DeliveryPending
    const fellDue: DeliveryJournalEvent = { type: 'DeliveryFellDue', atMs: 1 }
    expect(() => deliveryDecider.evolve({ status: 'none' }, fellDue)).toThrow(/impossible/)
    expect(() => deliveryDecider.evolve(due, fellDue)).toThrow(/impossible/)
    expect(() => deliveryDecider.evolve(due, { type: 'DeliveryRetried', atMs: 1 })).toThrow(/impossible/)
  })
})
