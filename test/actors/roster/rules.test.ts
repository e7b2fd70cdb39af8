import { describe, expect, it } from 'vitest'
import { type RosterCommand, rosterDecider } from '../../../src/actors/roster/rules.ts'
import { limits } from '../../../src/domain/limits.ts'
import { runDecider } from '../../domain/run-decider.ts'

const list = (account: string, role: 'admin' | 'viewer' = 'admin'): RosterCommand => ({
  type: 'ListAccount',
  account,
  address: `print of ${account}`,
  role,
})
const activate = (account: string): RosterCommand => ({ type: 'MarkActive', account })
const unlist = (account: string): RosterCommand => ({ type: 'UnlistAccount', account })
const change = (account: string, role: 'admin' | 'viewer'): RosterCommand => ({
  type: 'ChangeListedRole',
  account,
  role,
})
const last = (...commands: RosterCommand[]) => runDecider(rosterDecider, commands).replies.at(-1)

describe('a roster', () => {
  it('has an address once', () => {
    expect(last(list('a'), { ...list('b'), address: 'print of a' } as RosterCommand)).toMatchObject({
      refused: 'already_member',
    })
    expect(last(list('a'), unlist('a'), list('b'))).toMatchObject([{ account: 'b', isActive: false }])
  })

  it('keeps its last active administrator', () => {
    const one = [list('a'), activate('a'), list('b'), list('v', 'viewer'), activate('v')]
    expect(last(...one, unlist('a'))).toMatchObject({ refused: 'last_administrator' })
    expect(last(...one, change('a', 'viewer'))).toMatchObject({ refused: 'last_administrator' })
    expect(last(...one, change('a', 'admin'))).toEqual(expect.any(Array))
    expect(last(...one, unlist('b'))).toMatchObject([{ account: 'a' }, { account: 'v' }])
    expect(last(...one, activate('b'), change('a', 'viewer'))).toEqual(expect.any(Array))
  })

  it('takes its most members and not one more', () => {
    const full = Array.from({ length: limits.membersMax }, (_, index) => list(`m${index}`))
    expect(last(...full)).toEqual(expect.any(Array))
    expect(last(...full, list('more'))).toMatchObject({ refused: 'members_too_many' })
  })

  it('knows nothing of strangers', () => {
    for (const command of [activate('x'), unlist('x'), change('x', 'admin')])
      expect(last(command)).toMatchObject({ refused: 'not_found' })
    expect(() => rosterDecider.evolve({ entries: [] }, { type: 'MarkedActive', account: 'x' })).toThrow(
      'impossible',
    )
  })
})
