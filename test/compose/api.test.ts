import { describe, expect, it } from 'vitest'
import { accountPorts } from '../../src/actors/account/compose.ts'
import { composeApi } from '../../src/compose/api.ts'
import { contents } from '../../src/actors/contents.ts'
import { openApiDocument } from '../../src/http/openapi/openapi.ts'
import { TenantStanding } from '../../src/actors/tenant/active-tenants.ts'
import { listing, serviceOnMemory } from './service-on-memory.ts'

describe('the API', () => {
  it('serves every route to callers with a key, wallets apart, and describes what is JSON', async () => {
    const service = await serviceOnMemory()
    const publicUrl = () => ''
    const { routes, authenticate } = composeApi({
      heart: { vault: service.vault, runtime: service.runtime },
      config: {
        rates: { apiKeyRequestsPerMinute: 300, walletTokenRequestsPerMinute: 60 },
        egress: { allowPrivateTargets: false, webhookConcurrency: 1 },
      },
      useCases: service.useCases,
      wallets: {
        newKey: () => ({ seed: '', publicKey: '' }),
        invitationUrl: () => '',
        receive: () => Promise.resolve('refused'),
      },
      people: accountPorts({ useCases: service.useCases, vault: service.vault, publicUrl }),
      directory: listing([]),
      cluster: {} as never,
      standing: new TenantStanding(service.useCases),
      feed: { listen: () => Promise.reject(new Error('nobody listens here')) },
      unreadableEvent: () => undefined,
      ledger: {
        namespace: 'n',
        genesis: { text: '', sha256: 'x' },
        signature: '',
        signingPublicKey: '',
      },
      publicUrl,
    })
    const open = routes.filter((route) => route.access.callers[0] === 'nobody').map((route) => route.path)
    expect(open.every((path) => /^\/(didcomm|i|ledger|v1\/sessions|v1\/enrolments)(\/|$)/.test(path))).toBe(
      true,
    )
    const { paths } = openApiDocument(routes, contents)
    expect(Object.keys(paths as object)).toEqual(
      expect.arrayContaining(['/v1/ledger', '/v1/credentials/offer']),
    )
    const head = { id: '', method: 'GET', path: '/', query: '', headers: new Map(), remoteAddress: '' }
    expect(await authenticate(head, ['api_key'])).toMatchObject({ problem: 'unauthorized' })
    await service.close()
  })
})
