// node deploy/create-secrets.ts KEY_FILE SECRET_FILE makes the master key and the secret that all nodes of a cluster
// share; what is there already stays.
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import {
  createMasterKeyFile,
  newMasterKey,
  readMasterKeyFile,
} from '../src/persistence/vault/master-key-file.ts'

const SECRET_BYTES = 48

const [keyFile, secretFile] = process.argv.slice(2)
const say = (line: string): void => void process.stdout.write(`${line}\n`)
if (keyFile === undefined || secretFile === undefined) {
  process.stderr.write('Usage: node deploy/create-secrets.ts KEY_FILE SECRET_FILE\n')
  process.exitCode = 1
} else {
  if (readMasterKeyFile(keyFile) === null) {
    createMasterKeyFile(keyFile, newMasterKey())
    say(`Made ${keyFile}. Keep a copy apart from the data: without it nothing sealed can be read.`)
  } else say(`${keyFile} is there already and stays as it is.`)
  if (existsSync(secretFile)) say(`${secretFile} is there already and stays as it is.`)
  else {
    writeFileSync(secretFile, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`, { mode: 0o600 })
    say(`Made ${secretFile}, by which the nodes know each other.`)
  }
}
