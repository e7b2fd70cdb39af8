import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { IndyLedger } from '../../../src/ledger/indy-ledger.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'
import { TRANSACTION_TYPE } from '../../../src/ledger/sandbox/transactions.ts'
import { signerFromSeed } from '../../../src/ledger/signer.ts'
import { LedgerUnavailable } from '../../../src/ports/ledger.ts'
import { startHeardPool } from './heard-pool.ts'
import { closedAtEnd } from '../../closed-at-end.ts'

const value = { primary: { n: '12', s: '5', z: '7', rctxt: '3', r: { master_secret: '1', name: '1' } } }

it('a write that lands after the next attempt has looked is on the ledger once', async () => {
  const pace = { isSlow: false }
  const pool = closedAtEnd(
    await startHeardPool('landed-late', {
      isLate: ({ type }) => pace.isSlow && type === TRANSACTION_TYPE.CLAIM_DEF,
    }),
  )
  const ledger = closedAtEnd(
    new IndyLedger({
      namespace: 'sandbox',
      genesis: pool.genesis,
      endorser: signerFromSeed(pool.endorser.seed),
      callTimeoutMs: 2_000,
      callsMax: 10,
      cachedObjectsMax: 10,
    }),
  )
  const identity = identityFromSeed(Buffer.alloc(32, 81))
  await ledger.registerIdentity(identity)
  const author = signerFromSeed(identity.seed)
  const schema = { name: 'degree', version: '1.0', attributes: ['name'] }
  const { seqNo: schemaSeqNo } = await ledger.publishSchema(author, schema)
  const size = pool.size()
  const publish = () => ledger.publishDefinition(author, { schemaSeqNo, tag: 'default', value })

  pace.isSlow = true
  await expect(publish()).rejects.toThrow(LedgerUnavailable)
  expect(pool.size()).toBe(size)
  pace.isSlow = false
  // As long as an effect waits before its next attempt, at least.
  await pause(1_000)
  expect(await publish()).toMatchObject({ tag: 'default' })
  expect(pool.size()).toBe(size + 1)
}, 60_000)
