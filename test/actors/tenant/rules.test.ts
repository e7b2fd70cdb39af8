import { describe, expect, it } from 'vitest'
import { type TenantCommand, tenantDecider } from '../../../src/actors/tenant/rules.ts'
import { runDecider } from '../../domain/run-decider.ts'

const create: TenantCommand = {
  type: 'CreateTenant',
  atMs: 1,
  name: 'Registry',
  did: 'did',
  verkey: 'key',
  seed: 'seed',
}
const registered: TenantCommand = { type: 'RecordIdentityRegistered', atMs: 2 }
const refused: TenantCommand = { type: 'RecordIdentityRefused', atMs: 2, reason: 'another key' }
const suspend: TenantCommand = { type: 'SuspendTenant', atMs: 3 }
const run = (...commands: TenantCommand[]) => runDecider(tenantDecider, commands)
const owed = (...commands: TenantCommand[]) => tenantDecider.owed?.(run(...commands).state)

describe('a tenant', () => {
  it('owes its registration until the ledger took or refused it', () => {
    expect(owed()).toEqual([])
    expect(owed(create)).toEqual([{ id: 'identity', kind: 'register-identity', did: 'did', verkey: 'key' }])
    expect(owed(create, registered)).toEqual([])
    expect(owed(create, refused)).toEqual([])
    expect(run(create, refused, registered).state).toMatchObject({
      registered: false,
      lastError: 'another key',
    })
    expect(run(create, registered, refused).state).toMatchObject({ registered: true, lastError: null })
  })

  it('is created once', () => {
    const { state, events } = run(create, { ...create, name: 'Other' })
    expect(events).toHaveLength(1)
    expect(state).toMatchObject({ name: 'Registry', createdAtMs: 1 })
  })

  it('is suspended and resumed, each once', () => {
    const resume: TenantCommand = { type: 'ResumeTenant', atMs: 4 }
    expect(run(create, suspend, suspend).events).toHaveLength(2)
    expect(run(create, suspend).state).toMatchObject({ status: 'suspended', updatedAtMs: 3 })
    expect(run(create, resume).events).toHaveLength(1)
    expect(run(create, suspend, resume).state).toMatchObject({ status: 'active' })
  })

  it('has rates of which each is changed by itself', () => {
    const one: TenantCommand = { type: 'SetTenantRates', atMs: 5, ratePerMinute: 600 }
    const other: TenantCommand = { type: 'SetTenantRates', atMs: 5, keyRatePerMinute: 60 }
    // Two operators at once: neither has seen what the other has set.
    expect(run(create, one, other).state).toMatchObject({
      rates: { ratePerMinute: 600, keyRatePerMinute: 60 },
    })
    expect(run(create, one, one, { ...one, ratePerMinute: null }).events).toHaveLength(3)
  })

  it('that does not exist answers not found', () => {
    expect(run(suspend).replies[0]).toMatchObject({ refused: 'not_found' })
  })

  it('takes no event twice', () => {
    const { state, events } = run(create)
    expect(() => tenantDecider.evolve(state, events[0] as never)).toThrow('impossible')
  })

  describe('whose deletion is ordered', () => {
    const DAY_MS = 86_400_000
    const at = (type: 'OrderDeletion' | 'RestoreTenant' | 'BeginDeletion' | 'RecordDeleted', atMs: number) =>
      ({ type, atMs }) as const
    const order = at('OrderDeletion', 10)
    const timers = (...commands: TenantCommand[]) => tenantDecider.timers?.(run(...commands).state)

    it('is suspended for seven days, however often it is ordered, and goes back to what it was', () => {
      const ordered = run(create, registered, order, at('OrderDeletion', 20))
      expect(ordered.events).toHaveLength(3)
      expect(ordered.state).toMatchObject({ status: 'deletion_ordered', deletion: { orderedAtMs: 10 } })
      expect(timers(create, order)).toEqual([{ id: 'deletion', dueMs: 10 + 7 * DAY_MS }])
      expect(run(create, order, { type: 'ResumeTenant', atMs: 11 }).replies.at(-1)).toMatchObject({
        refused: 'organisation_being_deleted',
      })
      const meanwhile = run(create, order, suspend, suspend)
      expect(meanwhile.events).toHaveLength(3)
      expect(meanwhile.state).toMatchObject({ status: 'deletion_ordered', deletion: { orderedAtMs: 10 } })
      expect(run(create, order, suspend, at('RestoreTenant', 30)).state).toMatchObject({
        status: 'suspended',
      })
      const restored = run(create, suspend, order, at('RestoreTenant', 30), at('RestoreTenant', 40))
      expect(restored.state).toMatchObject({
        status: 'suspended',
        deletion: null,
        rests: [{ fromMs: 10, untilMs: 30 }],
      })
      expect(restored.events).toHaveLength(4)
      expect(timers(create, order, at('RestoreTenant', 30))).toEqual([])
    })

    it('is deleted when its time has come, and not restored from then on', () => {
      expect(run(create, order, at('BeginDeletion', 7 * DAY_MS)).events).toHaveLength(2)
      const begin = at('BeginDeletion', 10 + 7 * DAY_MS)
      expect(owed(create, order)).toEqual([])
      expect(owed(create, order, begin)).toEqual([{ id: 'deletion', kind: 'delete-records' }])
      for (const late of [
        at('RestoreTenant', 9 * DAY_MS),
        { type: 'ResumeTenant', atMs: 9 * DAY_MS },
        { type: 'SetRetention', atMs: 9 * DAY_MS, retentionDays: 1 },
        { type: 'SetTenantRates', atMs: 9 * DAY_MS, ratePerMinute: 1, keyRatePerMinute: null },
      ] as const)
        for (const state of [
          [create, order, begin],
          [create, order, begin, at('RecordDeleted', 8 * DAY_MS)],
        ] as const)
          expect(run(...state, late).replies.at(-1)).toMatchObject({ refused: 'organisation_being_deleted' })
      const deleted = run(create, order, begin, at('RecordDeleted', 8 * DAY_MS), order)
      expect(deleted.events).toHaveLength(4)
      expect(deleted.state).toMatchObject({ status: 'deleted', name: null, seed: null, did: 'did' })
      expect(owed(create, order, begin, at('RecordDeleted', 8 * DAY_MS))).toEqual([])
    })
  })
})
