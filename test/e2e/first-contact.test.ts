import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Wallet } from '../../sdk/wallet/create-wallet.ts'
import { createWallet } from '../../sdk/wallet/create-wallet.ts'
import { startSmallService } from './small-service.ts'

type Service = Awaited<ReturnType<typeof startSmallService>>

let service: Service
let wallet: Wallet
let connectionId = ''

beforeAll(async () => {
  service = await startSmallService()
  wallet = await createWallet({
    label: 'Phone',
    databaseFile: ':memory:',
    host: '127.0.0.1',
    port: 0,
    indyNamespace: 'sandbox',
    genesis: service.pool.genesis,
    verbose: process.env['VERBOSE'] === '1',
  })
}, 60_000)
afterAll(async () => {
  await wallet?.close()
  await service?.close()
})

describe('a Credo wallet and the service', () => {
  it('connect', async () => {
    const { url } = await service.invite('Registry')
    const { connectionRecord } = await wallet.agent.didcomm.oob.receiveInvitationFromUrl(url, {
      label: 'Phone',
    })
    const connected = await wallet.agent.didcomm.connections.returnWhenIsConnected(
      connectionRecord?.id ?? '',
      { timeoutMs: 10_000 },
    )
    expect(connected.theirLabel).toBe('Registry')
    connectionId = (connected.theirDid && (await addressOf(connected.theirDid))) ?? ''
    expect(connectionId).toMatch(/^con_/)
    await vi.waitFor(async () => {
      const { connection } = await service.ask<{ connection: { status: string } }>(connectionId, {
        type: 'ReadConnection',
      })
      expect(connection.status).toBe('completed')
    }, 10_000)
  })

  it('issue', async () => {
    const credentialId = `cre_${connectionId.slice(4, 6)}${randomUUID().replaceAll('-', '')}`
    const expiresAt = String(Math.floor(Date.now() / 1000) + 3600)
    const { ledgerId, catalogueId } = service.definition
    await service.ask(credentialId, {
      type: 'OfferCredential',
      atMs: Date.now(),
      tenant: 'ten_00aaaaaaaa',
      connectionId,
      externalId: null,
      definition: { catalogueId, ledgerId },
      threadId: credentialId,
      nonce: '1234567890',
      attributes: { name: 'Ada', age: '36', expiresAt },
    })
    const offered = await vi.waitFor(async () => {
      const [record] = await wallet.agent.didcomm.credentials.findAllByQuery({ threadId: credentialId })
      if (!record) throw new Error('no offer yet')
      return record
    }, 10_000)
    await wallet.agent.didcomm.credentials.acceptOffer({ credentialExchangeRecordId: offered.id })
    await vi.waitFor(async () => {
      expect((await wallet.agent.didcomm.credentials.getById(offered.id)).state).toBe('credential-received')
    }, 20_000)
    await wallet.agent.didcomm.credentials.acceptCredential({ credentialExchangeRecordId: offered.id })
    await vi.waitFor(async () => {
      const { credential } = await service.ask<{ credential: { status: string } }>(credentialId, {
        type: 'ReadCredential',
      })
      expect(credential.status).toBe('done')
    }, 10_000)
  }, 60_000)

  it('prove', async () => {
    const proofId = `pro_${connectionId.slice(4, 6)}${randomUUID().replaceAll('-', '')}`
    const restrictions = [{ cred_def_id: service.definition.ledgerId }]
    const request = {
      name: 'Entry',
      version: '1.0',
      nonce: '98765432109876543210',
      requested_attributes: { person: { names: ['name'], restrictions } },
      requested_predicates: {
        fresh: { name: 'expiresAt', p_type: '>', p_value: Math.floor(Date.now() / 1000), restrictions },
      },
    }
    await service.ask(proofId, {
      type: 'RequestProof',
      atMs: Date.now(),
      tenant: 'ten_00aaaaaaaa',
      connectionId,
      externalId: null,
      proofTemplateId: 'tpl_00aaaaaaaa',
      threadId: proofId,
      request: JSON.stringify(request),
    })
    const asked = await vi.waitFor(async () => {
      const [record] = await wallet.agent.didcomm.proofs.findAllByQuery({ threadId: proofId })
      if (!record) throw new Error('no request yet')
      return record
    }, 10_000)
    const { proofFormats } = await wallet.agent.didcomm.proofs.selectCredentialsForRequest({
      proofExchangeRecordId: asked.id,
    })
    await wallet.agent.didcomm.proofs.acceptRequest({ proofExchangeRecordId: asked.id, proofFormats })
    await vi.waitFor(async () => {
      const { proof } = await service.ask<{ proof: Record<string, unknown> }>(proofId, { type: 'ReadProof' })
      expect(proof).toMatchObject({ status: 'done', verified: true, disclosed: { person: { name: 'Ada' } } })
    }, 20_000)
    await vi.waitFor(async () => {
      expect((await wallet.agent.didcomm.proofs.getById(asked.id)).state).toBe('done')
    }, 10_000)
  }, 60_000)
})

/** The service’s address for this connection, from the DID it introduced itself with. */
const addressOf = async (did: string): Promise<string | null> => {
  const { didDocument } = await wallet.agent.dids.resolve(did)
  const [reached] = didDocument?.didCommServices ?? []
  return String(reached?.serviceEndpoint).split('/').at(-1) ?? null
}
