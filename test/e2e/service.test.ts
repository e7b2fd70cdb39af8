import { createHash, createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createWallet, type Wallet } from '../../sdk/wallet/create-wallet.ts'
import { type Json, publishPerson, untilState, WAIT, walletOptions } from './running-service.ts'
import { eventually } from '../eventually.ts'
import { serviceUnderTest, type ServiceUnderTest } from './service-under-test.ts'

let service: ServiceUnderTest
let wallet: Wallet
let definitionId = ''
let templateId = ''
let connectionId = ''

beforeAll(async () => {
  service = await serviceUnderTest()
  const published = await publishPerson(service)
  definitionId = published.definitionId
  templateId = published.templateId
  wallet = await createWallet(await walletOptions(service))
}, 240_000)
afterAll(async () => {
  await wallet?.close()
  await service?.close()
})

const offer = (more: Json = {}) => ({
  connectionId,
  credentialDefinitionId: definitionId,
  attributes: { name: 'Ada', age: '36', expiresAt: String(Math.floor(Date.now() / 1_000) + 3_600) },
  ...more,
})

describe('the service with a real wallet', () => {
  it('connects', async () => {
    const { status, json } = await service.send('POST', '/v1/connections/invitations', {
      externalId: 'guest 1',
    })
    expect([status, json['multiUse']]).toEqual([201, false])
    await wallet.agent.didcomm.oob.receiveInvitationFromUrl(String(json['invitationUrl']), { label: 'Phone' })
    await vi.waitFor(async () => {
      const list = await service.send(
        'GET',
        `/v1/connections?invitationId=${String(json['invitationId'])}&q=GUEST`,
      )
      const [found] = list.json['items'] as Json[]
      expect(found).toMatchObject({ state: 'completed', externalId: 'guest 1', theirLabel: 'Phone' })
      connectionId = String(found?.['id'])
    }, WAIT)
  }, 240_000)

  it('issues', async () => {
    const { status, json } = await service.send(
      'POST',
      '/v1/credentials/offer',
      offer({ externalId: 'order 7' }),
    )
    expect([status, json['state']]).toEqual([202, 'offer-sent'])
    const threadId = String(json['threadId'])
    const record = await vi.waitFor(async () => {
      const [found] = await wallet.agent.didcomm.credentials.findAllByQuery({ threadId })
      if (!found) throw new Error('no offer yet')
      return found
    }, WAIT)
    await wallet.agent.didcomm.credentials.acceptOffer({ credentialExchangeRecordId: record.id })
    await vi.waitFor(
      async () =>
        expect((await wallet.agent.didcomm.credentials.getById(record.id)).state).toBe('credential-received'),
      WAIT,
    )
    await wallet.agent.didcomm.credentials.acceptCredential({ credentialExchangeRecordId: record.id })
    expect(await untilState(service, `/v1/credentials/${String(json['id'])}`, 'done')).toMatchObject({
      externalId: 'order 7',
    })
    const list = await service.send('GET', `/v1/credentials?connectionId=${connectionId}&state=done`)
    expect(list.json).toMatchObject({ total: 1, items: [{ id: json['id'] }] })
  }, 240_000)

  it('verifies', async () => {
    const body = { connectionId, proofTemplateId: templateId }
    const { status, json } = await service.send('POST', '/v1/proofs/request', body)
    expect([status, json['state']]).toEqual([202, 'request-sent'])
    const threadId = String(json['threadId'])
    const record = await vi.waitFor(async () => {
      const [found] = await wallet.agent.didcomm.proofs.findAllByQuery({ threadId })
      if (!found) throw new Error('no request yet')
      return found
    }, WAIT)
    const proofExchangeRecordId = record.id
    const { proofFormats } = await wallet.agent.didcomm.proofs.selectCredentialsForRequest({
      proofExchangeRecordId,
    })
    await wallet.agent.didcomm.proofs.acceptRequest({ proofExchangeRecordId, proofFormats })
    const done = await untilState(service, `/v1/proofs/${String(json['id'])}`, 'done')
    expect(done).toMatchObject({ verified: true, disclosed: { person: { name: 'Ada' } } })
    await eventually(async () =>
      expect((await service.send('GET', '/v1/proofs?verified=true')).json).toMatchObject({ total: 1 }),
    )
  }, 240_000)

  it.each([
    [404, 'connection_not_found', { connectionId: 'con_00aaaaaaaaaa' }],
    [404, 'connection_not_found', { connectionId: 'nonsense' }],
    [404, 'credential_definition_not_found', { credentialDefinitionId: 'nonsense' }],
    [422, 'attributes_mismatch', { attributes: { name: 'Ada', expiresAt: '2000000000' } }],
    [422, 'expires_at_required', { attributes: { name: 'Ada', age: '1' } }],
    [422, 'expires_at_invalid', { attributes: { name: 'Ada', age: '1', expiresAt: '1' } }],
    [400, 'invalid_request', { attributes: { name: 1 } }],
    [400, 'invalid_request', { attributes: { name: 'A\0B', age: '1', expiresAt: '2000000000' } }],
    [400, 'invalid_request', { unknown: true }],
  ])('answers a wrong offer with %i %s', async (status, error, more) => {
    const answer = await service.send('POST', '/v1/credentials/offer', offer(more))
    expect([answer.status, answer.json['error']]).toEqual([status, error])
    expect(Object.keys(answer.json)).toEqual(['error', 'reason'])
  })

  it('takes no template whose predicate nothing meets', async () => {
    const predicates = [{ group: 'person', attribute: 'age', operator: '>', value: 2_147_483_647 }]
    const groups = [{ name: 'person', credentialDefinitionIds: [definitionId], attributes: [] }]
    const template = { tenant: service.tenant, name: 'Never', description: null, groups, predicates }
    await expect(service.order('template create', template)).rejects.toThrow('predicates must not have')
  })

  it('counts what the signature engines did', async () => {
    const text = await service.metrics()
    for (const operation of ['define', 'issue', 'verify'])
      expect(text).toMatch(
        new RegExp(
          `vouchsafe_crypto_operations_total{operation="${operation}",engine="native",result="ok"} [1-9]`,
        ),
      )
  })

  it('shows one organisation nothing of another', async () => {
    const { id } = await service.order('tenant create', { name: 'Other' })
    const { key } = await service.order('key create', { tenant: id, label: 'x' })
    const foreign = await service.send('GET', `/v1/connections/${connectionId}`, undefined, String(key))
    const unknown = await service.send('GET', '/v1/connections/con_00aaaaaaaaaa', undefined, String(key))
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    const list = await service.send('GET', '/v1/connections', undefined, String(key))
    expect(list.json).toMatchObject({ items: [], total: 0 })
    const offered = await service.send('POST', '/v1/credentials/offer', offer(), String(key))
    expect(offered.status).toBe(404)
  })

  it('lets nobody in whose key is wrong or revoked', async () => {
    const { id, key } = await service.order('key create', { tenant: service.tenant, label: 'x' })
    expect((await service.send('GET', '/v1/schemas', undefined, String(key))).status).toBe(200)
    await service.order('key revoke', { keyId: id })
    for (const shown of [String(key), 'svc_sk_x', `svc_sk_${'A'.repeat(43)}`]) {
      const answer = await service.send('GET', '/v1/schemas', undefined, shown)
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    }
  })

  it('gives wallets a genesis file that is signed', async () => {
    const { json } = await service.send('GET', '/v1/ledger')
    const genesis = json['genesis'] as Record<string, string>
    const text = await (await fetch(genesis['url'] ?? '')).text()
    const signature = await (await fetch(genesis['signatureUrl'] ?? '')).text()
    expect(createHash('sha256').update(text).digest('hex')).toBe(genesis['sha256'])
    const key = createPublicKey(genesis['signingPublicKey'] ?? '')
    expect(verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))).toBe(true)
  })

  it('lets anybody read the ledger over HTTP, and write nothing', async () => {
    const { json } = await service.send('GET', '/v1/ledger')
    const proxy = String(json['vdrProxyUrl'])
    const listed = (await service.send('GET', '/v1/credential-definitions')).json['items']
    const [definition] = listed as readonly Readonly<Record<string, unknown>>[]
    const id = String(definition?.['credentialDefinitionId'])
    const found = await fetch(`${proxy}/cred_def/${encodeURIComponent(id)}`)
    expect([found.status, await found.json()]).toMatchObject([
      200,
      { op: 'REPLY', result: { tag: definition?.['tag'], data: { primary: {} } } },
    ])
    expect((await fetch(`${proxy}/submit`, { method: 'POST', body: '{}' })).status).toBe(404)
  })

  it('refuses what is no message', async () => {
    const post = (type: string) =>
      fetch(`${service.url()}/didcomm/${connectionId}`, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body: '{}',
      })
    expect((await post('application/didcomm-envelope-enc')).status).toBe(400)
    expect((await post('application/ssi-agent-wire')).status).toBe(400)
    expect((await post('text/plain')).status).toBe(415)
  })
})
