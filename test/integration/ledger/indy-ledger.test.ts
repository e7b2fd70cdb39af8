import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LedgerSigner } from '../../../src/actors/ledger-port.ts'
import { LedgerRefused, LedgerUnavailable } from '../../../src/actors/ledger-port.ts'
import { IndyLedger } from '../../../src/ledger/indy-ledger.ts'
import type { Identity } from '../../../src/ledger/sandbox/identities.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'
import type { SandboxPool } from '../../../src/ledger/sandbox/pool.ts'
import { startSandboxPool } from '../../../src/ledger/sandbox/pool.ts'
import sodium from 'sodium-native'

const signer = (identity: Identity): LedgerSigner => ({
  did: identity.did,
  sign(input) {
    const signature = Buffer.alloc(sodium.crypto_sign_BYTES)
    sodium.crypto_sign_detached(signature, input, identity.secretKey)
    return signature
  },
})

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = (server.address() as { port: number }).port
  await new Promise((resolve) => server.close(resolve))
  return Math.min(port, 65_000)
}

describe('the ledger, on a sandbox pool', () => {
  const folder = mkdtempSync(join(tmpdir(), 'indy-ledger-'))
  const tenant = identityFromSeed(Buffer.alloc(32, 9))
  const value = {
    primary: { n: '12', s: '5', z: '7', rctxt: '3', r: { master_secret: '1', name: '1', year: '2' } },
  }
  let pool: SandboxPool
  let ledger: IndyLedger

  const open = (callTimeoutMs: number): IndyLedger =>
    new IndyLedger({
      namespace: 'sandbox',
      genesis: pool.genesis,
      endorser: signer(pool.endorser),
      callTimeoutMs,
      callsMax: 100,
      cachedObjectsMax: 2,
    })

  beforeAll(async () => {
    pool = await startSandboxPool({
      folder,
      host: '127.0.0.1',
      firstPort: await freePort(),
      onBug: (error) => expect.fail(String(error)),
    })
    ledger = open(10_000)
  })
  afterAll(async () => {
    await ledger[Symbol.asyncDispose]()
    await pool[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  it('publishes for a tenant whom the operator endorses, and reads it back', async () => {
    await ledger.registerIdentity(tenant)
    const schema = await ledger.publishSchema(signer(tenant), {
      name: 'degree',
      version: '1.0',
      attributes: ['year', 'name'],
    })
    const definition = await ledger.publishDefinition(signer(tenant), {
      schemaSeqNo: schema.seqNo,
      tag: 'default',
      value,
    })
    const read = await ledger.readSchema(schema.id)
    expect([...(read?.attributes ?? [])].sort()).toEqual(['name', 'year'])
    expect(await ledger.readDefinition(definition.id)).toEqual({ ...definition, value })
  })

  it('writes nothing twice when a publication is tried again', async () => {
    const size = pool.size()
    await ledger.registerIdentity(tenant)
    const schema = await ledger.publishSchema(signer(tenant), {
      name: 'degree',
      version: '1.0',
      attributes: ['name', 'year'],
    })
    await ledger.publishDefinition(signer(tenant), { schemaSeqNo: schema.seqNo, tag: 'default', value })
    expect(pool.size()).toBe(size)
  })

  it('refuses another content under a name that is taken', async () => {
    const other = { name: 'degree', version: '1.0', attributes: ['name'] }
    await expect(ledger.publishSchema(signer(tenant), other)).rejects.toThrow(LedgerRefused)
    await expect(ledger.registerIdentity({ did: tenant.did, verkey: pool.endorser.verkey })).rejects.toThrow(
      LedgerRefused,
    )
  })

  it('refuses an author whom the ledger does not know', async () => {
    const stranger = signer(identityFromSeed(Buffer.alloc(32, 10)))
    const schema = { name: 'x', version: '1.0', attributes: ['a'] }
    await expect(ledger.publishSchema(stranger, schema)).rejects.toThrow(LedgerRefused)
  })

  it('knows what is not there', async () => {
    expect(await ledger.readSchema(`${tenant.did}:2:none:1.0`)).toBeNull()
    expect(await ledger.readDefinition(`${tenant.did}:3:CL:1:none`)).toBeNull()
    await ledger.probe()
  })

  it('says unavailable, not refused, while the pool is away', async () => {
    await pool[Symbol.asyncDispose]()
    await using impatient = open(300)
    await expect(impatient.readSchema(`${tenant.did}:2:none:1.0`)).rejects.toThrow(LedgerUnavailable)
  })
})
