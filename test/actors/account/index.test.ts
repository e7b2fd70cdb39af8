import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OPERATORS } from '../../../src/domain/operators.ts'
import { accountKind } from '../../../src/actors/account/index.ts'
import { account, type AccountCommand } from '../../../src/actors/account/state.ts'
import type { KindPorts } from '../../../src/actors/kind-ports.ts'
import { MemoryJournal } from '../../host/parts/memory-journal.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'
import { openHost, type TestHost } from '../../host/parts/open-host.ts'

const ID = account.ref('acc_00aaaaaaaa')
const definition = accountKind.definition({} as KindPorts)
const parents: unknown[] = []
let at: TestHost
const journal = new MemoryJournal()
const vault = new MemoryVault()
const open = async () => {
  at = await openHost(journal, { definitions: [definition], vault })
}
beforeEach(open)
afterEach(() => at.host[Symbol.asyncDispose]())

const ask = (command: AccountCommand) =>
  at.host.ask(ID, command, { commandId: `test-${parents.push(0)}`, tenant: null })

const canaries = [
  'canary@example.org',
  'Canary Name',
  'canary-argon',
  'CANARYSEED',
  'canary-recovery',
  '192.0.2.99',
] as const

describe('the actor of an account', () => {
  it('has everything after a restart, and nothing of it stands in the journal in clear', async () => {
    const invitation = { hash: 'h', expiresAtMs: 1_000 }
    const [emailAddress, name, passwordHash, totpSeed, recovery, address] = canaries
    const invited = { organisation: 'ten_00aaaaaaaa', role: 'admin', emailAddress, invitation } as const
    await ask({ type: 'InviteAccount', atMs: 1, ...invited })
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
    expect(await at.host.read(ID)).toMatchObject({
      status: 'active',
      private: { emailAddress, name, passwordHash, totpSeed },
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
    expect(await at.host.read(ID)).toMatchObject({ refused: 'not_found' })
  })

  it('has its key below its organisation, or below the operators', () => {
    const of = (organisation: string | null) =>
      definition.keyParent?.(ID, {
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
