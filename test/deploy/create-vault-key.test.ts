import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { readMasterKeyFile } from '../../src/persistence/vault/master-key-file.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = temporaryFolder('vouchsafe-vault-key')

const script = fileURLToPath(new URL('../../deploy/create-vault-key.ts', import.meta.url))

it('the key of a cluster is made once, for its owner alone, and stays at the next start', () => {
  const file = join(folder, 'vault.key')
  execFileSync(process.execPath, [script, file])
  expect(readMasterKeyFile(file)).toHaveLength(1)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const made = readFileSync(file, 'utf8')
  expect(execFileSync(process.execPath, [script, file], { encoding: 'utf8' })).toContain('stays as it is')
  expect(readFileSync(file, 'utf8')).toBe(made)
})
