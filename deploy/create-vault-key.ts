// node deploy/create-vault-key.ts FILE makes the master key that all nodes of a cluster share; an existing one stays.
import {
  createMasterKeyFile,
  newMasterKey,
  readMasterKeyFile,
} from '../src/persistence/vault/master-key-file.ts'

const [file] = process.argv.slice(2)
if (file === undefined) {
  process.stderr.write('Usage: node deploy/create-vault-key.ts FILE\n')
  process.exitCode = 1
} else if (readMasterKeyFile(file) === null) {
  createMasterKeyFile(file, newMasterKey())
  process.stdout.write(
    `Made ${file}. Keep a copy apart from the data: without it nothing sealed can be read.\n`,
  )
} else {
  process.stdout.write(`${file} is there already and stays as it is.\n`)
}
