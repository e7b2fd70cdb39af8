import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { readMasterKeyFile } from '../../src/persistence/vault/master-key-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-vault-key-'))
afterAll(() => rmSync(folder, { recursive: true }))

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
