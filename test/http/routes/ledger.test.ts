import { describe, expect, it } from 'vitest'
import { ledgerRoutes } from '../../../src/http/routes/ledger.ts'
import { callRoute } from './call-route.ts'

const facts = {
  namespace: 'sandbox',
  genesis: { text: 'nodes', sha256: 'abc' },
  signature: 'signed',
  signingPublicKey: 'key',
}
const routes = ledgerRoutes(facts, () => 'https://here.example')

describe('the ledger configuration', () => {
  it('names files that are there', async () => {
    const { json } = await callRoute(routes, 'GET', '/v1/ledger')
    const { url, signatureUrl, ...rest } = json['genesis'] as Record<string, string>
    expect(json).toMatchObject({ indyNamespace: 'sandbox', vdrProxyUrl: null })
    expect(rest).toEqual({ sha256: 'abc', signingPublicKey: 'key' })
    const read = async (address = '') => (await callRoute(routes, 'GET', new URL(address).pathname)).text
    expect([await read(url), await read(signatureUrl)]).toEqual(['nodes', 'signed'])
  })
})
