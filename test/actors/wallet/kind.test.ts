import { describe, expect, it } from 'vitest'
import { walletActor } from '../../../src/actors/wallet/kind.ts'
import { kindsOnHost } from '../kinds-on-host.ts'

const id = 'wal_00aaaaaaaa'

describe('the actor of a wallet', () => {
  it('revokes it after seven days without a connection, also over a restart', async () => {
    const { askAs, close, restart, runtime } = await kindsOnHost(() => [walletActor()])
    const ask = askAs(null)
    const facts = { tenant: 't', installationId: 'i', externalId: null, tokenHash: 'h' }
    await ask(id, { type: 'IssueWalletToken', atMs: runtime.now(), ...facts })
    runtime.forward(7 * 86_400_000)
    await restart()
    await expect
      .poll(() => ask(id, { type: 'ReadWallet' }, ''), { timeout: 60_000 })
      .toMatchObject({ wallet: { status: 'revoked', revokedBy: 'never_connected' } })
    await close()
  })
})
