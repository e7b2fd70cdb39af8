import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { openLedger } from '../../src/ledger/open-ledger.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const newFolder = () => temporaryFolder('open-ledger')

describe('the ledger of the configuration', () => {
  it('in the sandbox is the same after a restart, and real clients reach it', async () => {
    const config = loadConfig({ VOUCHSAFE_DATA_FOLDER: newFolder() })
    const checksums: string[] = []
    for (let start = 0; start < 2; start++) {
      const ledger = await openLedger(config, { failed: () => undefined })
      await ledger.probe()
      checksums.push(ledger.genesis.sha256)
      await ledger[Symbol.asyncDispose]()
    }
    expect(checksums[0]).toBe(checksums[1])
  }, 240_000)

  it('on a real network needs a seed of the right form', async () => {
    const file = join(newFolder(), 'seed')
    writeFileSync(file, 'short')
    const config = loadConfig({
      VOUCHSAFE_LEDGER: 'indy',
      VOUCHSAFE_LEDGER_GENESIS_FILE: file,
      VOUCHSAFE_LEDGER_ENDORSER_SEED_FILE: file,
    })
    await expect(openLedger(config, { failed: () => undefined })).rejects.toThrow('64 hex digits')
  })
})
