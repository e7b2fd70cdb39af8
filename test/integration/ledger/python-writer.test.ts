import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { IndyLedger } from '../../../src/ledger/indy-ledger.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'
import { startSandboxPool } from '../../../src/ledger/sandbox/pool.ts'
import { reservePorts } from '../../../src/ledger/sandbox/reserved-ports.ts'
import { signerFromSeed } from '../../../src/ledger/signer.ts'
import { readFixture } from '../../anoncreds/verifier-fixtures.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { pythonIndyVdr } from './python-wheel.ts'
import { closedAtEnd } from '../../closed-at-end.ts'

type Said =
  | { readonly sign: string }
  | {
      readonly nym: { readonly seqNo: number }
      readonly schema: { readonly seqNo: number }
      readonly id: string
      readonly definitionId: string
      readonly found: string
      readonly refusals: readonly string[]
    }

it('the Python package indy-vdr writes NYM, SCHEMA, CLAIM_DEF and ATTRIB to the sandbox ledger, which refuses version 1', async () => {
  const folder = temporaryFolder('python-writer')
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
  const signer = signerFromSeed(pool.endorser.seed)
  const genesisFile = join(folder, 'genesis.txn')
  writeFileSync(genesisFile, pool.genesis)
  const { did, verkey } = identityFromSeed(Buffer.alloc(32, 43))
  const script = fileURLToPath(new URL('python-writer.py', import.meta.url))
  const { value } = readFixture('honest').credentialDefinition as { value: Record<string, unknown> }
  const words = [script, genesisFile, signer.did, did, verkey, JSON.stringify(value)]
  const python = spawn('python3', words, {
    env: { ...process.env, PYTHONPATH: await pythonIndyVdr(), PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(python, 'exit')
  let last: Said | null = null
  for await (const line of createInterface(python.stdout)) {
    last = JSON.parse(line) as Said
    if ('sign' in last) {
      const signature = signer.sign(Buffer.from(last.sign, 'hex'))
      python.stdin.write(`${Buffer.from(signature).toString('hex')}\n`)
    }
  }
  expect(await ended).toEqual([0, null])
  expect(last).toMatchObject({
    nym: { seqNo: 3 },
    schema: { seqNo: 4 },
    definition: { seqNo: 5 },
    attribute: { seqNo: 6 },
    refusals: [expect.stringContaining('protocolVersion')],
  })
  if (last === null || 'sign' in last) throw new Error('it has not come to its end')
  expect(JSON.parse(last.found)).toEqual({ endpoint: { ha: '127.0.0.1:5555' } })
  const ledger = closedAtEnd(
    new IndyLedger({
      namespace: 'sandbox',
      genesis: pool.genesis,
      endorser: signer,
      callTimeoutMs: 10_000,
      callsMax: 100,
      cachedObjectsMax: 100,
    }),
  )
  expect(await ledger.readSchema(last.id)).toMatchObject({ name: 'from python', seqNo: 4 })
  expect(await ledger.readDefinition(last.definitionId)).toMatchObject({
    tag: 'default',
    value: { primary: value['primary'] },
  })
}, 60_000)
