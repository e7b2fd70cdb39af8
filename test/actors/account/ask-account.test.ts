import { afterAll, describe, expect, it } from 'vitest'
import { askAccount, isRealm, readRoster } from '../../../src/actors/account/ask-account.ts'
import { account } from '../../../src/actors/account/state.ts'
import { newAuditRef } from '../../../src/actors/audit-entry/commands.ts'
import { rosterOf, shardOfRealm } from '../../../src/actors/roster/rules.ts'
import { addressed } from '../../../src/ports/actors.ts'
import { accountsWorld, tenantId } from './accounts-world.ts'

const nobody = account.ref('acc_00nobodyyyy')

const at = await accountsWorld()
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
    expect(newAuditRef(at.runtime, 'ten_7faaaaaaaa')).toMatch(/^aud_7f/)
  })

  it('of nobody finds nobody', async () => {
    expect(await at.ports.actors.read(nobody)).toMatchObject({ refused: 'not_found' })
    expect(await askAccount(at.ports, nobody, { type: 'RemoveAccount', atMs: 1 })).toMatchObject({
      refused: 'not_found',
    })
  })

  it('changes nothing beside a command that is refused', async () => {
    const entry = { account: nobody, address: 'print', role: 'admin' } as const
    const refused = await at.ports.actors.askAtomically(
      [
        addressed(rosterOf(tenantId), { type: 'ListAccount', ...entry }),
        addressed(nobody, { type: 'EndSessions', atMs: 1 }),
      ],
      { commandId: 'together', tenant: tenantId },
    )
    expect(refused).toMatchObject({ refused: 'unauthorized' })
    expect(await readRoster(at.ports, tenantId)).toEqual([])
  })
})
