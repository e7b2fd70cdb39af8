import { describe, expect, it } from 'vitest'
import { pack } from '../../src/didcomm/envelope.ts'
import type { FieldSeal } from '../../src/host/definition.ts'
import { connectionStored } from '../../src/actors/connection/stored.ts'
import { credentialStored } from '../../src/actors/credential/stored.ts'
import { proofStored } from '../../src/actors/proof/stored.ts'
import { kinds } from '../../src/actors/index.ts'
import { KindTables } from '../../src/actors/tables.ts'
import { MemoryVault } from '../host/parts/memory-vault.ts'
import { connectionId, credentialId, from, inboundWorld, invitationId, wallet } from './inbound-world.ts'

const tables = new KindTables(kinds)
const tenant = 'ten_00aaaaaaaa'
const atMs = Date.UTC(2026, 2, 1, 9, 30)
const sealOf = async (record: string): Promise<{ readonly seal: FieldSeal; readonly vault: MemoryVault }> => {
  const vault = new MemoryVault()
  return { seal: await vault.create(record), vault }
}
const change = { state: 'done', previousState: 'presentation-received', sequence: 3 } as const
const about = { tenant, connectionId: 'con_00aaaaaaaa', externalId: 'order-1' }
const proof = 'pro_00aaaaaaaa'
const verified = {
  type: 'ProofVerified',
  atMs,
  change,
  ...about,
  proofTemplateId: 'tpl_00aaaaaaaa',
  verified: true,
  disclosed: { identity: { name: 'Ada Lovelace' } },
} as const

describe('what is published of an exchange', () => {
  it('is the change of a connection, without label, DID and keys of the holder', async () => {
    const { seal } = await sealOf('con_00aaaaaaaa')
    const stored = connectionStored.events.encode(
      {
        type: 'ConnectionRequested',
        atMs,
        change: { state: 'request-received', previousState: null, sequence: 1 },
        tenant,
        invitationId: 'inv_00aaaaaaaa',
        externalId: 'order-1',
        threadId: 't',
        theirLabel: 'Phone of Ada',
        theirDid: 'did:peer:4z',
        theirService: null,
        ownSeed: 'seed',
        ownKey: 'key',
        protocol: 'didexchange/1.1',
        prefix: 'https://didcomm.org/',
      },
      seal,
    )
    expect(tables.publish('con_00aaaaaaaa', stored)).toEqual({
      id: 'evt_con_00aaaaaaaa_1',
      type: 'connection.state_changed',
      tenant,
      createdAtMs: atMs,
      recordType: 'connection',
      recordId: 'con_00aaaaaaaa',
      data: {
        id: 'con_00aaaaaaaa',
        state: 'request-received',
        previousState: null,
        externalId: 'order-1',
        invitationId: 'inv_00aaaaaaaa',
        updatedAt: '2026-03-01T09:30:00.000Z',
        sequence: 1,
      },
      sealed: null,
    })
  })

  it('is the change of a credential from its offer on, without attributes', async () => {
    const { seal } = await sealOf('cre_00aaaaaaaa')
    const offered = credentialStored.events.encode(
      {
        type: 'CredentialOffered',
        atMs,
        change: { state: 'offer-sent', previousState: null, sequence: 1 },
        ...about,
        definition: { catalogueId: 'def_00aaaaaaaa', ledgerId: 'D:3:CL:1:x' },
        threadId: 't',
        nonce: '1',
        attributes: { name: 'Ada' },
      },
      seal,
    )
    const event = tables.publish('cre_00aaaaaaaa', offered)
    expect(event).toMatchObject({ id: 'evt_cre_00aaaaaaaa_1', sealed: null })
    expect(event?.data).toEqual({
      id: 'cre_00aaaaaaaa',
      state: 'offer-sent',
      previousState: null,
      externalId: 'order-1',
      connectionId: 'con_00aaaaaaaa',
      credentialDefinitionId: 'def_00aaaaaaaa',
      errorMessage: null,
      biometric: null,
      updatedAt: '2026-03-01T09:30:00.000Z',
      sequence: 1,
    })
    expect(JSON.stringify(event)).not.toContain('Ada')
  })

  it('is nothing for steps that the outside does not see, and for other kinds', async () => {
    const delivered = credentialStored.events.encode(
      { type: 'CredentialOfferDelivered', atMs, otherAtMs: null },
      null,
    )
    expect(tables.publish('cre_00aaaaaaaa', delivered)).toBeNull()
    const acknowledged = proofStored.events.encode({ type: 'LastWordDelivered', atMs }, null)
    expect(tables.publish(proof, acknowledged)).toBeNull()
    expect(tables.publish('inv_00aaaaaaaa', '{}')).toBeNull()
  })

  it('says of a proof whether it verified, and has what it disclosed as ciphertext', async () => {
    const { seal, vault } = await sealOf(proof)
    const event = tables.publish(proof, proofStored.events.encode(verified, seal))
    expect(event?.data).toMatchObject({ state: 'done', verified: true, disclosed: null })
    expect(JSON.stringify(event)).not.toContain('Lovelace')
    const sealed = event?.sealed ?? ''
    const opened = tables.personalData(proof, sealed, await vault.open(proof))
    expect(opened).toEqual({ disclosed: verified.disclosed })
    await vault.erase(proof)
    expect(tables.personalData(proof, sealed, await vault.open(proof))).toEqual({ disclosed: null })
  })

  it.each(['CredentialDeclined', 'CredentialAbandoned'] as const)(
    'has what the holder said as ciphertext in %s',
    async (type) => {
      const { seal, vault } = await sealOf('cre_00aaaaaaaa')
      const ended = { ...about, credentialDefinitionId: 'def_00aaaaaaaa', errorMessage: 'Not me, said Ada.' }
      const to = { state: 'declined', previousState: 'offer-sent', sequence: 2 } as const
      const over = { change: to, problem: null, prefix: 'https://didcomm.org/' } as const
      const stored = credentialStored.events.encode({ type, atMs, ...over, ...ended }, seal)
      const event = tables.publish('cre_00aaaaaaaa', stored)
      expect(event?.data).toMatchObject({ state: 'declined', errorMessage: null, sequence: 2 })
      expect(JSON.stringify(event)).not.toContain('Ada')
      const sealed = event?.sealed ?? ''
      const open = async () =>
        tables.personalData('cre_00aaaaaaaa', sealed, await vault.open('cre_00aaaaaaaa'))
      expect(await open()).toEqual({ errorMessage: 'Not me, said Ada.' })
      await vault.erase('cre_00aaaaaaaa')
      expect(await open()).toEqual({ errorMessage: null })
    },
  )

  it('has no personal fields to open where none were published', async () => {
    const { seal } = await sealOf('con_00aaaaaaaa')
    expect(() => tables.personalData('con_00aaaaaaaa', '{}', seal)).toThrow(/no personal fields/)
  })
})

describe('an envelope for an address that no kind takes', () => {
  it('is refused, and so is what is no envelope', async () => {
    const { receive } = inboundWorld()
    for (const address of ['', 'nonsense', 'ten_00aaaaaaaaaa', credentialId])
      expect(await receive(address, '{}', from)).toBe('refused')
    expect(await receive(connectionId, 'no envelope', from)).toBe('refused')
  })
})

describe('what is written to an address', () => {
  it('is read by no record unless it has the form of an envelope with a recipient', async () => {
    const { read, receive, isKnown, send } = inboundWorld()
    const sealed = JSON.parse(pack('{}', [wallet.publicKeyBase58], null)) as Record<string, string>
    const protects = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url')
    const noRecipient = protects({ enc: 'xchacha20poly1305_ietf', alg: 'Authcrypt', recipients: [] })
    const { ciphertext: _, ...withoutText } = sealed
    const noEnvelopes = [
      {},
      { ...sealed, protected: noRecipient },
      { ...sealed, iv: '' },
      { ...sealed, tag: 'AA' },
    ]
    for (const address of [connectionId, invitationId, 'con_00made0up0000'])
      for (const text of [
        '',
        '[]',
        '5',
        ...[...noEnvelopes, withoutText].map((each) => JSON.stringify(each)),
      ]) {
        expect(await receive(address, text, from), text).toBe('refused')
        expect(await isKnown(address, text), text).toBe(false)
      }
    expect(read).toEqual([])
    await send(connectionId, '{}')
    expect(read).toEqual([connectionId])
  })
})
