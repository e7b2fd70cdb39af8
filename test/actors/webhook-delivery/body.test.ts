import { describe, expect, it } from 'vitest'
import { proofEvents } from '../../../src/actors/proof/stored.ts'
import { publishExchange } from '../../../src/actors/publication.ts'
import { deliveryBody } from '../../../src/actors/webhook-delivery/body.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'

const proof = 'pro_00aaaaaaaa'
const tenant = 'ten_00aaaaaaaa'

const verifiedProof = async () => {
  const vault = new MemoryVault()
  const stored = proofEvents.encode(
    {
      type: 'ProofVerified',
      atMs: 0,
      change: { state: 'done', previousState: 'presentation-received', sequence: 3 },
      tenant,
      connectionId: 'con_00aaaaaaaa',
      externalId: null,
      proofTemplateId: 'tpl_00aaaaaaaa',
      verified: true,
      disclosed: { identity: { name: 'Ada Lovelace' } },
    },
    await vault.create(proof),
  )
  const event = publishExchange(proof, stored)
  if (event === null) throw new Error('not published')
  return { vault, event }
}

describe('the body of a delivery', () => {
  it('has the disclosed values in clear, for the endpoint alone', async () => {
    const { vault, event } = await verifiedProof()
    expect(JSON.parse(await deliveryBody(vault, tenant, event))).toEqual({
      id: `evt_${proof}_3`,
      type: 'proof.state_changed',
      createdAt: '1970-01-01T00:00:00.000Z',
      tenantId: tenant,
      data: {
        id: proof,
        state: 'done',
        previousState: 'presentation-received',
        externalId: null,
        connectionId: 'con_00aaaaaaaa',
        proofTemplateId: 'tpl_00aaaaaaaa',
        verified: true,
        disclosed: { identity: { name: 'Ada Lovelace' } },
        updatedAt: '1970-01-01T00:00:00.000Z',
        sequence: 3,
      },
    })
  })

  it('has its sequence, the same every time, also when it was taken in by a release that told none', async () => {
    const { vault, event } = await verifiedProof()
    const { sequence: _, ...data } = event.data
    const body = await deliveryBody(vault, tenant, { ...event, data })
    expect(JSON.parse(body)).toMatchObject({ data: { state: 'done', sequence: 3 } })
    const credential = {
      ...event,
      id: 'evt_cre_00aaaaaaaa_12',
      type: 'credential.state_changed',
      recordId: 'cre_00aaaaaaaa',
      data: { state: 'done' },
      sealed: null,
    }
    const first = await deliveryBody(vault, tenant, credential)
    expect(JSON.parse(first)).toMatchObject({ data: { errorMessage: null, biometric: null, sequence: 12 } })
    expect(await deliveryBody(vault, tenant, credential)).toBe(first)
  })

  it('has null in their place once the proof is erased', async () => {
    const { vault, event } = await verifiedProof()
    await vault.erase(proof)
    expect(JSON.parse(await deliveryBody(vault, tenant, event))).toMatchObject({
      data: { verified: true, disclosed: null },
    })
  })
})
