import { describe, expect, it } from 'vitest'
import { walletActor } from '../../../src/actors/wallet/kind.ts'
import { MemoryJournal } from '../../host/parts/memory-journal.ts'
import { openHost } from '../../host/parts/open-host.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'

const id = 'wal_00aaaaaaaa'
const options = (commandId: string) => ({ commandId, timeoutMs: 5_000, tenant: null })

describe('the actor of a wallet', () => {
  it('revokes it after seven days without a connection, also over a restart', async () => {
    const journal = new MemoryJournal()
    const runtime = testRuntime()
    const definitions = [walletActor()]
    const first = await openHost(journal, { definitions, runtime })
    const facts = { tenant: 't', installationId: 'i', externalId: null, tokenHash: 'h' }
    await first.host.ask(id, { type: 'IssueWalletToken', atMs: runtime.now(), ...facts }, options('issue'))
    await first.host[Symbol.asyncDispose]()
    runtime.forward(7 * 86_400_000)
    const second = await openHost(journal, { definitions, runtime })
    await expect
      .poll(() => second.host.ask(id, { type: 'ReadWallet' }, options('')), { timeout: 60_000 })
      .toMatchObject({ wallet: { status: 'revoked', revokedBy: 'never_connected' } })
    await second.host[Symbol.asyncDispose]()
  })
})
