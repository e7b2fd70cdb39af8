import { describe, expect, it } from 'vitest'
import { walletKind } from '../../../src/actors/wallet/index.ts'
import { wallet } from '../../../src/actors/wallet/rules.ts'
import { givenPorts } from '../given-ports.ts'
import { kindsOnHost } from '../kinds-on-host.ts'

const id = 'wal_00aaaaaaaa'

describe('the actor of a wallet', () => {
  it('revokes it after seven days without a connection, also over a restart', async () => {
    const { actors, askAs, close, restart, runtime } = await kindsOnHost(() => [
      walletKind.definition(givenPorts({})),
    ])
    const ask = askAs(null)
    const facts = { tenant: 't', installationId: 'i', externalId: null, tokenHash: 'h' }
    await ask(id, { type: 'IssueWalletToken', atMs: runtime.now(), ...facts })
    runtime.forward(7 * 86_400_000)
    await restart()
    await expect
      .poll(() => actors.read(wallet.ref(id)), { timeout: 60_000 })
      .toMatchObject({ status: 'revoked', revokedBy: 'never_connected' })
    await close()
  })
})
