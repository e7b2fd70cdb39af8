import { describe, expect, it } from 'vitest'
import { proofStored } from '../../../src/actors/proof/stored.ts'
import { kinds } from '../../../src/actors/index.ts'
import { KindTables } from '../../../src/actors/tables.ts'
import { deliveryBody } from '../../../src/actors/webhook-delivery/body.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'

const tables = new KindTables(kinds)
const proof = 'pro_00aaaaaaaa'
const tenant = 'ten_00aaaaaaaa'

const verifiedProof = async () => {
  const vault = new MemoryVault()
  const stored = proofStored.events.encode(
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
  const event = tables.publish(proof, stored)
  if (event === null) throw new Error('not published')
  const ports = { vault, personalData: tables.personalData.bind(tables) }
  return { vault, event, ports }
}

describe('the body of a delivery', () => {
  it('has the disclosed values in clear, for the endpoint alone', async () => {
    const { event, ports } = await verifiedProof()
    expect(JSON.parse(await deliveryBody(ports, tenant, event))).toEqual({
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
        biometric: null,
        updatedAt: '1970-01-01T00:00:00.000Z',
        sequence: 3,
      },
    })
  })

  it('is the same every time that it is made', async () => {
    const { event, ports } = await verifiedProof()
    const body = await deliveryBody(ports, tenant, event)
    expect(await deliveryBody(ports, tenant, event)).toBe(body)
  })

  it('has null in their place once the proof is erased', async () => {
    const { vault, event, ports } = await verifiedProof()
    await vault.erase(proof)
    expect(JSON.parse(await deliveryBody(ports, tenant, event))).toMatchObject({
      data: { verified: true, disclosed: null },
    })
  })
})
