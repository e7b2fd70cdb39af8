import { describe, expect, it } from 'vitest'
import { type InvitationCommand, invitationDecider } from '../../../src/actors/invitation/rules.ts'
import { runDecider } from '../../domain/run-decider.ts'

const create = (multiUse: boolean): InvitationCommand => ({
  type: 'CreateInvitation',
  atMs: 1,
  tenant: 'ten_00aaaaaaaa',
  label: 'Registry',
  multiUse,
  alias: null,
  externalId: null,
  ownSeed: 'seed',
  ownKey: 'key',
})
const admit = (connectionId: string): InvitationCommand => ({ type: 'AdmitHolder', atMs: 2, connectionId })

const run = (...commands: InvitationCommand[]) => runDecider(invitationDecider, commands)

describe('an invitation', () => {
  it('for one holder lets in the first, again and again, and nobody else', () => {
    const { replies } = run(create(false), admit('con_1'), admit('con_1'), admit('con_2'))
    expect(replies[2]).toMatchObject({ winner: 'con_1' })
    expect(replies[3]).toMatchObject({ refused: 'connection_not_ready' })
  })

  it('for many stores nothing about who came', () => {
    const { state, events } = run(create(true), admit('con_1'), admit('con_2'))
    expect(events).toHaveLength(1)
    expect(state).toMatchObject({ winner: null })
  })

  it('that does not exist admits nobody', () => {
    expect(run(admit('con_1')).replies[0]).toMatchObject({ refused: 'not_found' })
  })

  it('is created once', () => {
    expect(run(create(false), create(true)).state).toMatchObject({ multiUse: false })
  })
})
