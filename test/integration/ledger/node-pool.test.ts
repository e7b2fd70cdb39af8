import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IndyLedger } from '../../../src/ledger/indy-ledger.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'
import { type NodePool, startNodePool } from '../../../src/ledger/sandbox/node-pool.ts'
import { signerFromSeed } from '../../../src/ledger/signer.ts'
import { LedgerUnavailable } from '../../../src/ports/ledger.ts'
import { eventually } from '../../eventually.ts'
import { ledgerOver, sandboxPlace } from './open-pools.ts'

const seed = Buffer.alloc(32, 21)
const READS = 8
const author = signerFromSeed(seed)
const schemaOf = (name: string) => ({ name, version: '1.0', attributes: ['expiresAt'] })

describe('a sandbox of four processes', () => {
  let pool: NodePool
  let ledger: IndyLedger
  beforeAll(async () => {
    pool = await startNodePool(await sandboxPlace('node-pool'))
    ledger = ledgerOver(pool, { callTimeoutMs: 4_000 })
    await ledger.registerIdentity(identityFromSeed(seed))
  }, 60_000)
  afterAll(async () => {
    await ledger[Symbol.asyncDispose]()
    await pool[Symbol.asyncDispose]()
  })

  const kill = async (alias: string): Promise<void> => {
    const { pid } = pool.nodes().find((node) => node.alias === alias) ?? { pid: null }
    if (pid === null) throw new Error(`${alias} is dead already`)
    process.kill(pid, 'SIGKILL')
    await eventually(() => expect(pool.nodes().find((node) => node.alias === alias)?.pid).toBeNull())
  }

  it('goes on with one dead; with two dead it is read and writes wait; both come back', async () => {
    await ledger.publishSchema(author, schemaOf('all'))
    await kill('Node2')
    const three = await ledger.publishSchema(author, schemaOf('three'))
    await kill('Node4')
    const size = pool.size()
    await expect(ledger.publishSchema(author, schemaOf('two'))).rejects.toThrow(LedgerUnavailable)
    expect(pool.size()).toBe(size)
    expect(await ledger.readSchema(three.id)).toEqual(three)
    // Whichever nodes are asked first, two of which do not answer.
    for (let number = 0; number < READS; number += 1)
      expect(await ledger.readSchema(`${author.did}:2:none ${number}:1.0`)).toBeNull()
    await pool.revive()
    const written = await ledger.publishSchema(author, schemaOf('two'))
    expect([written.seqNo, pool.size()]).toEqual([size + 1, size + 1])
    // What was heard while two were dead is not written once more.
    expect(await ledger.publishSchema(author, schemaOf('two'))).toEqual(written)
  }, 120_000)
})
