import { describe, expect, it } from 'vitest'
import type { InvitationCommand, InvitationState } from '../../../src/actors/invitation/rules.ts'
import { invitationDecider } from '../../../src/actors/invitation/rules.ts'

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

const run = (
  ...commands: InvitationCommand[]
): { state: InvitationState; replies: unknown[]; events: number } => {
  let state = invitationDecider.initialState
  let events = 0
  const replies = commands.map((command) => {
    const decision = invitationDecider.decide(state, command)
    for (const event of decision.events) state = invitationDecider.evolve(state, event)
    events += decision.events.length
    return decision.reply
  })
  return { state, replies, events }
}

describe('an invitation', () => {
  it('for one holder lets in the first, again and again, and nobody else', () => {
    const { replies } = run(create(false), admit('con_1'), admit('con_1'), admit('con_2'))
    expect(replies[2]).toMatchObject({ invitation: { winner: 'con_1' } })
    expect(replies[3]).toMatchObject({ refused: 'connection_not_ready' })
  })

  it('for many stores nothing about who came', () => {
    const { state, events } = run(create(true), admit('con_1'), admit('con_2'))
    expect(events).toBe(1)
    expect(state).toMatchObject({ winner: null })
  })

  it('that does not exist admits nobody', () => {
    expect(run(admit('con_1')).replies[0]).toMatchObject({ refused: 'not_found' })
  })

  it('is created once', () => {
    expect(run(create(false), create(true)).state).toMatchObject({ multiUse: false })
  })
})
