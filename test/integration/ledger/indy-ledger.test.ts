import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LedgerRefused, LedgerUnavailable } from '../../../src/ports/ledger.ts'
import { IndyLedger } from '../../../src/ledger/indy-ledger.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'
import type { SandboxPool } from '../../../src/ledger/sandbox/pool.ts'
import { startSandboxPool } from '../../../src/ledger/sandbox/pool.ts'
import { signerFromSeed } from '../../../src/ledger/signer.ts'
import { reservePorts } from '../../../src/ledger/sandbox/reserved-ports.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { closedAtEnd } from '../../closed-at-end.ts'

describe('the ledger, on a sandbox pool', () => {
  const folder = temporaryFolder('indy-ledger')
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
      endorser: signerFromSeed(pool.endorser.seed),
      callTimeoutMs,
      callsMax: 100,
      cachedObjectsMax: 2,
    })

  beforeAll(async () => {
    pool = await startSandboxPool({
      folder,
      host: '127.0.0.1',
      firstPort: await reservePorts(4),
      onBug: (error) => expect.fail(String(error)),
    })
    ledger = open(10_000)
  })
  afterAll(async () => {
    await ledger[Symbol.asyncDispose]()
    await pool[Symbol.asyncDispose]()
  })

  it('publishes for a tenant whom the operator endorses, and reads it back', async () => {
    await ledger.registerIdentity(tenant)
    const schema = await ledger.publishSchema(signerFromSeed(tenant.seed), {
      name: 'degree',
      version: '1.0',
      attributes: ['year', 'name'],
    })
    const definition = await ledger.publishDefinition(signerFromSeed(tenant.seed), {
      schemaSeqNo: schema.seqNo,
      tag: 'default',
      value,
    })
    const read = await ledger.readSchema(schema.id)
    expect([...(read?.attributes ?? [])].sort()).toEqual(['name', 'year'])
    expect(await ledger.readDefinition(definition.id)).toEqual({ ...definition, value })
  })

  it('finds both under their qualified names too, on this network', async () => {
    const root = (network: string) => `did:indy:${network}:${tenant.did}/anoncreds/v0`
    const id = `${root('sandbox')}/SCHEMA/degree/1.0`
    const schema = await ledger.readSchema(id)
    expect(schema).toMatchObject({ id, name: 'degree', version: '1.0' })
    const definition = `CLAIM_DEF/${schema?.seqNo}/default`
    expect(await ledger.readDefinition(`${root('sandbox')}/${definition}`)).toMatchObject({ value })
    expect(await ledger.readSchema(`${root('other')}/SCHEMA/degree/1.0`)).toBeNull()
    expect(await ledger.readDefinition(`${root('other')}/${definition}`)).toBeNull()
  })

  it('writes nothing twice when a publication is tried again', async () => {
    const size = pool.size()
    await ledger.registerIdentity(tenant)
    const schema = await ledger.publishSchema(signerFromSeed(tenant.seed), {
      name: 'degree',
      version: '1.0',
      attributes: ['name', 'year'],
    })
    await ledger.publishDefinition(signerFromSeed(tenant.seed), {
      schemaSeqNo: schema.seqNo,
      tag: 'default',
      value,
    })
    expect(pool.size()).toBe(size)
  })

  it('takes an identity that came to the ledger while it was written for its own', async () => {
    const late = identityFromSeed(Buffer.alloc(32, 11))
    const size = pool.size()
    // Both look before either writes, as an attempt does whose predecessor timed out and lands all the same.
    await Promise.all([ledger.registerIdentity(late), ledger.registerIdentity(late)])
    expect(pool.size()).toBe(size + 1)
  })

  it('refuses another content under a name that is taken', async () => {
    const other = { name: 'degree', version: '1.0', attributes: ['name'] }
    await expect(ledger.publishSchema(signerFromSeed(tenant.seed), other)).rejects.toThrow(LedgerRefused)
    await expect(ledger.registerIdentity({ did: tenant.did, verkey: pool.endorser.verkey })).rejects.toThrow(
      LedgerRefused,
    )
  })

  it('refuses an author whom the ledger does not know', async () => {
    const stranger = signerFromSeed(Buffer.alloc(32, 10))
    const schema = { name: 'x', version: '1.0', attributes: ['a'] }
    await expect(ledger.publishSchema(stranger, schema)).rejects.toThrow(LedgerRefused)
  })

  it('knows what is not there', async () => {
    expect(await ledger.readSchema(`${tenant.did}:2:none:1.0`)).toBeNull()
    expect(await ledger.readDefinition(`${tenant.did}:3:CL:1:none`)).toBeNull()
    await ledger.probe()
  })

  it('has nothing under a name that it cannot read', async () => {
    const names = ['junk', 'did:indy:sandbox:abc/x', 'x'.repeat(100_000), `${tenant.did}:2:\u0000:\ud800`]
    const odd = [`did:indy:sandbox:${tenant.did}/anoncreds/v0/SCHEMA/a:b/x`, `${tenant.did}:3:CL:-1:x`]
    for (const name of [...names, ...odd])
      expect([await ledger.readSchema(name), await ledger.readDefinition(name)]).toEqual([null, null])
  })

  it('says unavailable, not refused, while the pool is away', async () => {
    await pool[Symbol.asyncDispose]()
    const impatient = closedAtEnd(open(300))
    await expect(impatient.readSchema(`${tenant.did}:2:none:1.0`)).rejects.toThrow(LedgerUnavailable)
  })
})
