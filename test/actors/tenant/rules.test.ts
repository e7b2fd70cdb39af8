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

  it('that does not exist answers not found', () => {
    expect(run(suspend).replies[0]).toMatchObject({ refused: 'not_found' })
  })

  it('takes no event twice', () => {
    const { state, events } = run(create)
    expect(() => tenantDecider.evolve(state, events[0] as never)).toThrow('impossible')
  })
})
