import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  askAccount,
  askTogetherWith,
  isRealm,
  newAuditId,
  readAccount,
  readRoster,
  shardOfRealm,
} from '../../../src/actors/account/ask-account.ts'
import { type AccountsWorld, accountsWorld, tenantId } from './accounts-world.ts'

let at: AccountsWorld
beforeAll(async () => {
  at = await accountsWorld()
})
afterAll(() => at.close())

describe('asking accounts', () => {
  it('tells realms from other texts', () => {
    expect([isRealm(null), isRealm(tenantId), isRealm('acc_00aaaaaaaa'), isRealm('x')]).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(shardOfRealm('ten_7faaaaaaaa')).toBe(0x7f)
    expect(newAuditId(at.runtime, 'ten_7faaaaaaaa')).toMatch(/^aud_7f/)
  })

  it('of nobody finds nobody', async () => {
    expect(await readAccount(at.ports, 'acc_00nobodyyyy')).toBeNull()
    expect(await askAccount(at.ports, 'acc_00nobodyyyy', { type: 'ReadAccount' })).toMatchObject({
      refused: 'not_found',
    })
  })

  it('changes nothing beside a command that is refused', async () => {
    const roster = {
      type: 'ListAccount',
      account: 'acc_00nobodyyyy',
      address: 'print',
      role: 'admin',
    } as const
    const command = { type: 'EndSessions', atMs: 1 } as const
    const refused = await askTogetherWith(at.ports, tenantId, { id: 'acc_00nobodyyyy', command }, { roster })
    expect(refused).toMatchObject({ refused: 'unauthorized' })
    expect(await readRoster(at.ports, tenantId)).toEqual([])
  })
})
