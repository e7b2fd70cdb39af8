import { afterAll, describe, expect, it } from 'vitest'
import { issueWalletToken, ownerOfWalletToken, revokeWallet } from '../../../src/actors/wallet/commands.ts'
import { furnished, furnishedService } from '../../compose/service-on-memory.ts'

const {
  service,
  at: { tenant },
} = await furnishedService()
afterAll(() => service.close())

const issue = async (installationId: string, more: object = {}) => {
  const ports = { ...service.useCases, vault: service.vault }
  return issueWalletToken(ports, { tenant, installationId, externalId: null, ...more })
}
const issued = async (installationId: string) => {
  const wallet = await issue(installationId)
  if (!('walletToken' in wallet)) throw new Error(wallet.reason)
  return wallet
}
const owner = (token: string) => ownerOfWalletToken(service.useCases, token)

describe('the wallet of an installation', () => {
  it('is one, however often it is asked for; only its newest token is good', async () => {
    const first = await issued('a')
    const second = await issued('a')
    expect([first.isNew, second.isNew, second.id]).toEqual([true, false, first.id])
    expect(first.walletToken).toMatch(/^svc_wt_[0-9a-f]{34}[A-Za-z0-9_-]{59}$/)
    expect(await owner(first.walletToken)).toBeNull()
    expect(await owner(second.walletToken)).toEqual({ walletId: first.id, tenantId: tenant })
  })

  it('is another one for another installation, or another organisation', async () => {
    const other = await furnished(service, 'bbbbbbbbbb')
    const ids = [await issue('b'), await issue('c'), await issue('b', { tenant: other.tenant })]
    expect(new Set(ids.map((each) => 'id' in each && each.id)).size).toBe(3)
  })

  it('has no good token once it was revoked, and never gets one again', async () => {
    const { id, walletToken } = await issued('d')
    expect(await revokeWallet(service.useCases, tenant, id)).toMatchObject({ revokedBy: 'tenant' })
    expect(await owner(walletToken)).toBeNull()
    expect(await issue('d')).toMatchObject({ refused: 'wallet_revoked' })
  })

  it('is nothing to another organisation', async () => {
    const { id } = await issued('e')
    for (const unknown of [id, 'wal_00aaaaaaaaaa', 'x'])
      expect(await revokeWallet(service.useCases, 'ten_00aaaaaaaaaa', unknown)).toMatchObject({
        refused: 'not_found',
      })
  })

  it('is not made for an organisation that does not exist', async () => {
    expect(await issue('f', { tenant: 'ten_00aaaaaaaaaa' })).toMatchObject({ refused: 'forbidden' })
  })

  it('does not know tokens that are none', async () => {
    const { walletToken } = await issued('g')
    const last = walletToken.endsWith('A') ? 'B' : 'A'
    for (const wrong of ['', 'svc_wt_x', `${walletToken.slice(0, -1)}${last}`, `svc_wt_${'0'.repeat(93)}`])
      expect(await owner(wrong)).toBeNull()
  })
})
