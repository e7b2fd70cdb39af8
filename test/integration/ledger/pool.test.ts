import {
  CredentialDefinitionRequest,
  GetCredentialDefinitionRequest,
  GetNymRequest,
  GetSchemaRequest,
  GetTransactionRequest,
  NymRequest,
  PoolCreate,
  SchemaRequest,
  indyVdr,
} from '@hyperledger/indy-vdr-nodejs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Identity } from '../../../src/ledger/sandbox/identities.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'
import type { SandboxPool } from '../../../src/ledger/sandbox/pool.ts'
import { startSandboxPool } from '../../../src/ledger/sandbox/pool.ts'
import { reservePorts } from '../../../src/ledger/sandbox/reserved-ports.ts'
import sodium from 'sodium-native'
import { temporaryFolder } from '../../temporary-folder.ts'

type Signable = { readonly signatureInput: string; setSignature(options: { signature: Uint8Array }): void }

const signed = <Request extends Signable>(request: Request, identity: Identity): Request => {
  const signature = Buffer.alloc(sodium.crypto_sign_BYTES)
  sodium.crypto_sign_detached(signature, Buffer.from(request.signatureInput), identity.secretKey)
  request.setSignature({ signature })
  return request
}

describe('the sandbox pool, through a real Indy client', () => {
  const folder = temporaryFolder('sandbox-pool')
  const tenant = identityFromSeed(Buffer.alloc(32, 7))
  const schema = {
    id: `${tenant.did}:2:degree:1.0`,
    name: 'degree',
    version: '1.0',
    attrNames: ['name', 'year'],
    ver: '1.0' as const,
  }
  const bugs: unknown[] = []
  let firstPort: number
  let pool: SandboxPool
  let client: PoolCreate

  const open = async (): Promise<void> => {
    pool = await startSandboxPool({
      folder,
      host: '127.0.0.1',
      firstPort,
      onBug: (error) => bugs.push(error),
    })
    client = new PoolCreate({ parameters: { transactions: pool.genesis } })
  }

  beforeAll(async () => {
    indyVdr.setConfig({ config: { conn_request_limit: 100_000, conn_active_timeout: 3600 } })
    firstPort = await reservePorts(4)
    await open()
  })
  afterAll(async () => {
    client.close()
    await pool[Symbol.asyncDispose]()
    expect(bugs).toEqual([])
  })

  it('answers a refresh with its own genesis', async () => {
    await client.refresh()
    expect(await client.transactions).toHaveLength(4)
  })

  it('knows its endorser and nobody else', async () => {
    const known = await client.submitRequest(new GetNymRequest({ dest: pool.endorser.did }))
    expect(JSON.parse(String(known.result.data))).toMatchObject({ role: '101', verkey: pool.endorser.verkey })
    expect((await client.submitRequest(new GetNymRequest({ dest: tenant.did }))).result.data).toBeNull()
  })

  it('refuses a write whose author it does not know', async () => {
    const request = signed(new SchemaRequest({ submitterDid: tenant.did, schema }), tenant)
    await expect(client.submitRequest(request)).rejects.toThrow(/verkey for .* cannot be found/)
  })

  it('refuses a write whose signature is somebody else’s', async () => {
    const request = new NymRequest({
      submitterDid: pool.endorser.did,
      dest: tenant.did,
      verkey: tenant.verkey,
    })
    await expect(client.submitRequest(signed(request, tenant))).rejects.toThrow(/does not verify/)
  })

  it('lets an endorser add an identity, and an identity without a role write nothing', async () => {
    const request = new NymRequest({
      submitterDid: pool.endorser.did,
      dest: tenant.did,
      verkey: tenant.verkey,
    })
    await client.submitRequest(signed(request, pool.endorser))
    const schemaRequest = signed(new SchemaRequest({ submitterDid: tenant.did, schema }), tenant)
    await expect(client.submitRequest(schemaRequest)).rejects.toThrow(/has none of these roles/)
  })

  it('accepts a schema and a definition of an author whom a trustee made endorser, once', async () => {
    const grant = new NymRequest({ submitterDid: pool.trustee.did, dest: tenant.did, role: 'ENDORSER' })
    await client.submitRequest(signed(grant, pool.trustee))
    const written = await client.submitRequest(
      signed(new SchemaRequest({ submitterDid: tenant.did, schema }), tenant),
    )
    const seqNo = written.result.txnMetadata.seqNo
    await expect(
      client.submitRequest(signed(new SchemaRequest({ submitterDid: tenant.did, schema }), tenant)),
    ).rejects.toThrow(/schemas cannot be changed/)
    const value = { primary: { n: '12', s: '5', z: '7', rctxt: '3', r: { name: '1', year: '2' } } }
    const id = `${tenant.did}:3:CL:${seqNo}:default`
    const credentialDefinition = {
      ver: '1.0',
      id,
      schemaId: String(seqNo),
      type: 'CL',
      tag: 'default',
      value,
    } as const
    await client.submitRequest(
      signed(new CredentialDefinitionRequest({ submitterDid: tenant.did, credentialDefinition }), tenant),
    )
    const read = await client.submitRequest(
      new GetCredentialDefinitionRequest({ credentialDefinitionId: id }),
    )
    expect(read.result.data).toMatchObject({ primary: value.primary })
  })

  it('keeps everything on disk', async () => {
    client.close()
    await pool[Symbol.asyncDispose]()
    await open()
    const read = await client.submitRequest(new GetSchemaRequest({ schemaId: schema.id }))
    const found = read.result.data as { attr_names: string[] }
    expect([...found.attr_names].sort()).toEqual(['name', 'year'])
    const byNumber = await client.submitRequest(
      new GetTransactionRequest({ ledgerType: 1, seqNo: read.result.seqNo ?? 0 }),
    )
    expect(byNumber.result.data).toMatchObject({ ledgerSize: pool.size() })
  })
})
