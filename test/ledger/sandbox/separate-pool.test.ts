import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startSeparatePool } from '../../../src/ledger/sandbox/separate-pool.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const start = (folder: string) =>
  startSeparatePool({ folder, host: '127.0.0.1', firstPort: 0, onBug: () => undefined })

describe('the pool in a thread of its own', () => {
  it('keeps the ports it had first, because they stand in the genesis file', async () => {
    const folder = temporaryFolder('separate-pool')
    const first = await start(folder)
    expect(first.genesis).toContain(
      `"client_port":${readFileSync(join(folder, 'first-port'), 'utf8').trim()}`,
    )
    await first[Symbol.asyncDispose]()
    const second = await start(folder)
    expect([second.genesis, second.endorserSeed]).toEqual([first.genesis, first.endorserSeed])
    await second[Symbol.asyncDispose]()
  }, 240_000)

  it('says in a sentence why it could not start', async () => {
    const folder = temporaryFolder('separate-pool')
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    writeFileSync(join(folder, 'first-port'), String(port))
    await expect(start(folder)).rejects.toThrow(`the sandbox ledger could not start on port ${port}`)
    taken.close()
  }, 240_000)
})
