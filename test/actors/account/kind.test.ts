import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OPERATORS } from '../../../src/domain/operators.ts'
import { ACCOUNT, accountActor } from '../../../src/actors/account/kind.ts'
import type { AccountReply } from '../../../src/actors/account/state.ts'
import { MemoryJournal } from '../../host/parts/memory-journal.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'
import { openHost, type TestHost } from '../../host/parts/open-host.ts'

const ID = `${ACCOUNT}_00aaaaaaaa`
const parents: unknown[] = []
let at: TestHost
const journal = new MemoryJournal()
const vault = new MemoryVault()
const open = async () => {
  at = await openHost(journal, { definitions: [accountActor()], vault })
}
beforeEach(open)
afterEach(() => at.host[Symbol.asyncDispose]())

const ask = (command: object) =>
  at.host.ask<AccountReply>(ID, command, {
    commandId: `test-${parents.push(0)}`,
    timeoutMs: 5_000,
    tenant: null,
  })

const canaries = [
  'canary@example.org',
  'Canary Name',
  'canary-argon',
  'CANARYSEED',
  'canary-recovery',
  '192.0.2.99',
]

describe('the actor of an account', () => {
  it('has everything after a restart, and nothing of it stands in the journal in clear', async () => {
    const invitation = { hash: 'h', expiresAtMs: 1_000 }
    const invited = { organisation: 'ten_00aaaaaaaa', role: 'admin', emailAddress: canaries[0], invitation }
    await ask({ type: 'InviteAccount', atMs: 1, ...invited })
    const [, name, passwordHash, totpSeed, recovery = '', address] = canaries
    const begun = { invitationHash: 'h', name, passwordHash, totpSeed }
    await ask({ type: 'BeginEnrolment', atMs: 2, ...begun })
    const session = { id: 's1', tokenHash: 't', address, userAgent: null }
    const confirmed = { invitationHash: 'h', step: 7, recoveryHashes: [recovery], session }
    await ask({ type: 'ConfirmEnrolment', atMs: 3, ...confirmed })
    // Past the next snapshot, so that both forms are looked at.
    for (let time = 4; time < 60; time++)
      await ask({ type: 'OpenSignIn', atMs: time, signIn: { hash: `p${time}`, expiresAtMs: 99 } })
    await at.host[Symbol.asyncDispose]()
    await open()
    expect(await ask({ type: 'ReadAccount' })).toMatchObject({
      account: { status: 'active', private: { emailAddress: canaries[0], name, passwordHash, totpSeed } },
    })
    const written = JSON.stringify(journal)
    for (const canary of canaries) expect(written).not.toContain(canary)
  })

  it('loses its key when it is removed, and stays removed', async () => {
    expect(vault.keys.has(ID)).toBe(true)
    await ask({ type: 'RemoveAccount', atMs: 100 })
    expect(vault.keys.has(ID)).toBe(false)
    await at.host[Symbol.asyncDispose]()
    await open()
    expect(await ask({ type: 'ReadAccount' })).toMatchObject({ refused: 'not_found' })
  })

  it('has its key below its organisation, or below the operators', () => {
    const { keyParent } = accountActor()
    const of = (organisation: string | null) =>
      keyParent?.(ID, {
        type: 'InviteAccount',
        atMs: 1,
        organisation,
        role: 'admin',
        emailAddress: 'a@b',
        invitation: { hash: 'h', expiresAtMs: 1 },
      })
    expect(of('ten_00aaaaaaaa')).toEqual({ tenant: 'ten_00aaaaaaaa', connection: null })
    expect(of(null)).toEqual({ tenant: OPERATORS, connection: null })
  })
})
