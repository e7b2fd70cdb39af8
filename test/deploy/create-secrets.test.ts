import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { readMasterKeyFile } from '../../src/persistence/vault/master-key-file.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = temporaryFolder('vouchsafe-vault-key')

const script = fileURLToPath(new URL('../../deploy/create-secrets.ts', import.meta.url))

it('the key and the secret of a cluster are made once, for its owner alone, and stay at the next start', () => {
  const file = join(folder, 'vault.key')
  const secret = join(folder, 'cluster.secret')
  execFileSync(process.execPath, [script, file, secret])
  expect(readMasterKeyFile(file)).toHaveLength(1)
  expect([file, secret].map((each) => statSync(each).mode & 0o777)).toEqual([0o600, 0o600])
  const read = () => [file, secret].map((each) => readFileSync(each, 'utf8'))
  const made = read()
  expect(execFileSync(process.execPath, [script, file, secret], { encoding: 'utf8' })).toContain(
    'stays as it is',
  )
  expect(read()).toEqual(made)
})
