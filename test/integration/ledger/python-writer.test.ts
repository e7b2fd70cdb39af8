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
import { temporaryFolder } from '../../temporary-folder.ts'
import { pythonIndyVdr } from './python-wheel.ts'

type Said =
  | { readonly sign: string }
  | {
      readonly nym: { readonly seqNo: number }
      readonly schema: { readonly seqNo: number }
      readonly id: string
    }

it('the Python package indy-vdr writes NYM and SCHEMA to the sandbox ledger', async () => {
  const folder = temporaryFolder('python-writer')
  await using pool = await startSandboxPool({
    folder,
    host: '127.0.0.1',
    firstPort: await reservePorts(4),
    onBug: (error) => {
      throw error
    },
  })
  const signer = signerFromSeed(pool.endorser.seed)
  const genesisFile = join(folder, 'genesis.txn')
  writeFileSync(genesisFile, pool.genesis)
  const { did, verkey } = identityFromSeed(Buffer.alloc(32, 43))
  const script = fileURLToPath(new URL('python-writer.py', import.meta.url))
  const python = spawn('python3', [script, genesisFile, signer.did, did, verkey], {
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
  expect(last).toMatchObject({ nym: { seqNo: 3 }, schema: { seqNo: 4 } })
  await using ledger = new IndyLedger({
    namespace: 'sandbox',
    genesis: pool.genesis,
    endorser: signer,
    callTimeoutMs: 10_000,
    callsMax: 100,
    cachedObjectsMax: 100,
  })
  const id = last !== null && 'id' in last ? last.id : ''
  expect(await ledger.readSchema(id)).toMatchObject({ name: 'from python', seqNo: 4 })
}, 60_000)
