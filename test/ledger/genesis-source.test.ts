import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { genesisOf, keepGenesis, readGenesis } from '../../src/ledger/genesis-source.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const nothing = { genesisFile: '', genesisUrl: '', genesisSha256: '' }

/** What is fetched at its address, and how often it was. */
const serving = async (text: string) => {
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    response.end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/genesis`,
    asked: () => asked,
    [Symbol.asyncDispose]: async () => void (await new Promise((resolve) => server.close(resolve))),
  }
}

describe('the genesis transactions of a real network', () => {
  it('come from a file, and are those that were meant', async () => {
    const folder = temporaryFolder('genesis')
    const genesisFile = join(folder, 'given.txn')
    writeFileSync(genesisFile, 'nodes\n')
    const source = { ...nothing, genesisFile, genesisSha256: sha256('nodes\n').toUpperCase() }
    expect(await readGenesis(source, folder)).toEqual({ text: 'nodes\n', sha256: sha256('nodes\n') })
    await expect(readGenesis({ ...source, genesisSha256: sha256('others') }, folder)).rejects.toThrow(
      'not VOUCHSAFE_LEDGER_GENESIS_SHA256',
    )
  })

  it('are fetched from an address once, and believed by their checksum alone', async () => {
    const folder = temporaryFolder('genesis')
    await using server = await serving('nodes\n')
    const source = { ...nothing, genesisUrl: server.url, genesisSha256: sha256('nodes\n') }
    keepGenesis(await readGenesis(source, folder), folder)
    expect(await readGenesis(source, folder)).toMatchObject({ text: 'nodes\n' })
    expect(server.asked()).toBe(1)
    const other = { ...source, genesisSha256: sha256('others') }
    await expect(readGenesis(other, folder)).rejects.toThrow('have the checksum')
  })

  it('that cannot be fetched are said to be so', async () => {
    const { url, [Symbol.asyncDispose]: close } = await serving('x')
    await close()
    const source = { ...nothing, genesisUrl: url, genesisSha256: sha256('x') }
    await expect(readGenesis(source, temporaryFolder('genesis'))).rejects.toThrow('no answer came')
  })

  it('stay where wallets were told of them when others come into force', () => {
    const folder = temporaryFolder('genesis')
    const [first, second] = [genesisOf('first'), genesisOf('second')]
    expect(keepGenesis(first, folder)).toEqual([first])
    expect(keepGenesis(second, folder)).toEqual([second, first])
    expect(keepGenesis(first, folder)).toEqual([first, second])
  })

  it('are not found in what else lies in their folder', () => {
    const folder = temporaryFolder('genesis')
    const [first, second] = [genesisOf('first'), genesisOf('second')]
    keepGenesis(first, folder)
    mkdirSync(join(folder, 'folder.txn'))
    // A copy of one that is there would be a second route to the same address.
    for (const name of ['copy.txn', `${'0'.repeat(64)}.txn`]) writeFileSync(join(folder, name), first.text)
    expect(keepGenesis(second, folder)).toEqual([second, first])
  })
})
