import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionKind } from '../../../src/actors/credential-definition/index.ts'
import { schemaKind } from '../../../src/actors/schema/index.ts'
import { schema } from '../../../src/actors/schema/rules.ts'
import { tenantKind } from '../../../src/actors/tenant/index.ts'
import type { IndyLedger } from '../../../src/ledger/indy-ledger.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'
import { type SandboxPool, startSandboxPool } from '../../../src/ledger/sandbox/pool.ts'
import { signerFromSeed } from '../../../src/ledger/signer.ts'
import type { Ledger } from '../../../src/ports/ledger.ts'
import { givenPorts } from '../../actors/given-ports.ts'
import { kindsOnHost } from '../../actors/kinds-on-host.ts'
import { eventually } from '../../eventually.ts'
import { ledgerOver, sandboxPlace } from './open-pools.ts'

const TIMES = 20
const tenantId = 'ten_00aaaaaaaa'
const seed = Buffer.alloc(32, 11)

describe('what is published', () => {
  let pool: SandboxPool
  let ledger: IndyLedger
  beforeAll(async () => {
    pool = await startSandboxPool(await sandboxPlace('published-once'))
    // As after a restart: nothing is known of what was written.
    ledger = ledgerOver(pool, { cachedObjectsMax: 1 })
  })
  afterAll(async () => {
    await ledger[Symbol.asyncDispose]()
    await pool[Symbol.asyncDispose]()
  })

  it('is on the ledger once, also where the service is killed between "submitted" and "recorded"', async () => {
    const killed: Promise<void>[] = []
    let kill: (() => Promise<void>) | null = null
    const dying: Pick<Ledger, 'registerIdentity' | 'publishSchema' | 'publishDefinition'> = {
      registerIdentity: (identity) => ledger.registerIdentity(identity),
      publishDefinition: (author, definition) => ledger.publishDefinition(author, definition),
      publishSchema: async (author, order) => {
        const written = await ledger.publishSchema(author, order)
        const now = kill
        kill = null
        if (now === null) return written
        killed.push(now())
        throw new Error('this process is gone')
      },
    }
    const signerOf = (text: string) => signerFromSeed(Buffer.from(text, 'base64url'))
    const at = await kindsOnHost(({ actors, runtime }) => {
      const ports = givenPorts({ actors, runtime, ledger: dying, signerOf })
      return [tenantKind, schemaKind, definitionKind].map(({ definition }) => definition(ports))
    })
    const ask = at.askAs(null)
    const { did, verkey } = identityFromSeed(seed)
    const created = {
      type: 'CreateTenant',
      atMs: 1,
      name: 'R',
      did,
      verkey,
      seed: seed.toString('base64url'),
    }
    await ask(tenantId, created)
    for (let time = 0; time < TIMES; time++) {
      const id = `sch_00${String(time).padStart(10, 'a')}`
      const size = pool.size()
      kill = at.crash
      const order = { tenant: tenantId, name: `schema ${time}`, version: '1.0', attributes: ['expiresAt'] }
      await ask(id, { type: 'PublishSchema', atMs: 1, ...order })
      await eventually(async () => {
        at.runtime.forward(1_000)
        expect(await at.actors.read(schema.ref(id))).toMatchObject({ status: 'published', lastError: null })
      })
      // The first of them waits for the identity of its organisation, which is a write as well.
      expect(pool.size()).toBe(size + (time === 0 ? 2 : 1))
      await Promise.all(killed)
    }
    expect(killed).toHaveLength(TIMES)
    await at.close()
  }, 240_000)
})
