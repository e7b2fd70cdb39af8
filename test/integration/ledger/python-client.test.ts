import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { IndyLedger } from '../../../src/ledger/indy-ledger.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'
import { startSandboxPool } from '../../../src/ledger/sandbox/pool.ts'
import { signerFromSeed } from '../../../src/ledger/signer.ts'
import { reservePorts } from '../../../src/ledger/sandbox/reserved-ports.ts'
import { readFixture } from '../../anoncreds/verifier-fixtures.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { pythonIndyVdr } from './python-wheel.ts'
import { closedAtEnd } from '../../closed-at-end.ts'

type Answer = { readonly seqNo: number; readonly data: Record<string, unknown> }
type Found = {
  readonly version: string
  readonly nodes: readonly string[]
  readonly nym: { readonly dest: string; readonly verkey: string }
  readonly schema: Answer
  readonly definition: Answer
}

/** Wallets read the ledger through @credo-ts/indy-vdr in every end-to-end test; this is the other client that is not ours. */
it('the Python package indy-vdr reads NYM, SCHEMA and CLAIM_DEF of the sandbox ledger', async () => {
  const folder = temporaryFolder('python-client')
  const pool = closedAtEnd(
    await startSandboxPool({
      folder,
      host: '127.0.0.1',
      firstPort: await reservePorts(4),
      onBug: (error) => {
        throw error
      },
    }),
  )
  const ledger = closedAtEnd(
    new IndyLedger({
      namespace: 'sandbox',
      genesis: pool.genesis,
      endorser: signerFromSeed(pool.endorser.seed),
      callTimeoutMs: 10_000,
      callsMax: 100,
      cachedObjectsMax: 100,
    }),
  )
  const seed = Buffer.alloc(32, 42)
  const [author, signer] = [identityFromSeed(seed), signerFromSeed(seed)]
  await ledger.registerIdentity(author)
  const attributes = ['name', 'expiresAt']
  const schema = await ledger.publishSchema(signer, { name: 'person', version: '1.0', attributes })
  const { value } = readFixture('honest').credentialDefinition as { value: Record<string, unknown> }
  const order = { schemaSeqNo: schema.seqNo, tag: 'default', value }
  const definition = await ledger.publishDefinition(signer, order)

  const genesisFile = join(folder, 'genesis.txn')
  writeFileSync(genesisFile, pool.genesis)
  const script = fileURLToPath(new URL('python-client.py', import.meta.url))
  const { stdout } = await promisify(execFile)(
    'python3',
    [script, genesisFile, author.did, schema.id, definition.id],
    { env: { ...process.env, PYTHONPATH: await pythonIndyVdr(), PYTHONDONTWRITEBYTECODE: '1' } },
  )
  const found = JSON.parse(stdout) as Found
  expect(found).toMatchObject({
    version: '0.4.2',
    nodes: ['Node1', 'Node2', 'Node3', 'Node4'],
    nym: { dest: author.did, verkey: author.verkey },
    schema: { seqNo: schema.seqNo, data: { name: 'person', version: '1.0' } },
    definition: { data: { primary: value['primary'] } },
  })
  expect(found.schema.data['attr_names']).toEqual(expect.arrayContaining(attributes))
})
