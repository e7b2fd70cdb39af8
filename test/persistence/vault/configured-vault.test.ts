import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/config.ts'
import { keyFileOf, openConfiguredVault } from '../../../src/persistence/vault/open-vault.ts'
import { createMasterKeyFile, newMasterKey } from '../../../src/persistence/vault/master-key-file.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { journalBeside } from './parts/memory-of-keys.ts'

describe('the configured vault', () => {
  let folder: string
  beforeEach(() => {
    folder = temporaryFolder('configured-vault')
  })

  it('keeps keys in a folder of their own, and makes its key file only under the default name', async () => {
    const config = loadConfig({ VOUCHSAFE_DATA_FOLDER: folder })
    const vault = await openConfiguredVault(config, journalBeside(), () => 0)
    await vault.probe()
    await vault[Symbol.asyncDispose]()
    expect(existsSync(join(folder, 'vault', 'keys.sqlite'))).toBe(true)
    expect(existsSync(join(folder, 'vault.key'))).toBe(true)
  })

  it('takes the key file that is named', async () => {
    const named = join(folder, 'named.key')
    createMasterKeyFile(named, newMasterKey())
    const config = loadConfig({ VOUCHSAFE_DATA_FOLDER: folder, VOUCHSAFE_VAULT_KEY_FILE: named })
    expect(keyFileOf(config)).toBe(named)
    const vault = await openConfiguredVault(config, journalBeside(), () => 0)
    await vault[Symbol.asyncDispose]()
    expect(existsSync(join(folder, 'vault.key'))).toBe(false)
    rmSync(named)
    await expect(openConfiguredVault(config, journalBeside(), () => 0)).rejects.toThrow('is missing')
    expect(existsSync(named)).toBe(false)
  })
})
