import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import { kinds } from '../actors/index.ts'
import { acceptOlderKeys } from '../compose/accept-older-keys.ts'
import { type Config, type Environment, loadConfig } from '../config/config.ts'
import { connectCassandra } from '../persistence/cassandra/connect.ts'
import { cassandraSettings, engineSettings } from '../persistence/engine-settings.ts'
import { openEngine, rememberedMark } from '../persistence/open-engine.ts'
import { checkKeyStore } from '../persistence/vault/key-store-mark.ts'
import { keyFileOf, openKeyStore, openVaultUnchecked, placeOfKeys } from '../persistence/vault/open-vault.ts'
import {
  createMasterKeyFile,
  existingMasterKeys,
  newMasterKey,
} from '../persistence/vault/master-key-file.ts'
import { type RotationResult, rotateMasterKey } from '../persistence/vault/rotate-command.ts'
import { action } from './action.ts'
import type { Output } from './output.ts'
import { refuseLiving } from './while-stopped.ts'

export const registerVault = (program: Command, environment: Environment): void => {
  const vault = program.command('vault').description('the master key that wraps all other keys')
  vault
    .command('create-key')
    .description('make the file with the master key, for a cluster; never over an existing one')
    .argument('<file>', 'path of the new file')
    .action(action(createKey))
  vault
    .command('rotate')
    .description('replace the master key; the service goes on, and a stopped rotation is run again')
    .action(action(async (_, output) => rotate(loadConfig(environment), output)))
  vault
    .command('accept-older')
    .description('go on with an older key store when there is no newer one; the service is stopped')
    .action(action(async (_, output) => acceptOlder(loadConfig(environment), output)))
}

/** What was erased since is erased again, what was made since is lost, and both are said. */
const acceptOlder = async (config: Config, output: Output): Promise<void> => {
  const engine = await openEngine(engineSettings(config))
  try {
    await output.during('No node may run meanwhile, which is looked at,', refuseLiving(engine, config))
    const keys = await openKeyStore(config, engine.cassandra, false)
    const vault = await openVaultUnchecked(config, keys, () => performance.now())
    try {
      const accepting = acceptOlderKeys({
        journal: engine.store,
        memory: engine.keyStore,
        keys,
        vault,
        place: placeOfKeys(config, engine.cassandra),
        definitions: kinds.map(({ atRest }) => atRest),
      })
      const { erasedAgain, lost, unreadable } = await output.during('Every record is looked at,', accepting)
      for (const record of lost) output.note(`${record} is lost: this key store has no key of it`)
      for (const record of unreadable)
        output.note(`${record} cannot be read: if it was erased, the journal cannot say so`)
      const said = `This key store is the journal's now. Erased again: ${erasedAgain}. Lost: ${lost.length}.`
      output.result({ erasedAgain, lost, unreadable }, said)
    } finally {
      await vault[Symbol.asyncDispose]()
    }
  } finally {
    await engine[Symbol.asyncDispose]()
  }
}

const createKey = async ({ file }: { readonly file: string }, output: Output): Promise<void> => {
  const entry = newMasterKey()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  createMasterKeyFile(file, entry)
  output.result(
    { file, key: entry.id },
    `${file} has the master key ${entry.id}. Bring it to every node, and keep a copy apart from the data.`,
  )
}

/** One run on a single machine. A cluster takes two, because the new key must be on every node before it is used. */
const rotate = async (config: Config, output: Output): Promise<void> => {
  const keyFile = keyFileOf(config)
  const clustered = config.journal.engine === 'cassandra'
  const client = clustered
    ? await connectCassandra(cassandraSettings(config.cassandra), { keyspace: null })
    : null
  try {
    // Without the keys under it, the old master key would be dropped while they still need it.
    existingMasterKeys(keyFile)
    const store = await openKeyStore(config, client, false)
    try {
      // Of two key stores, the one put aside would need the master key that is dropped here.
      checkKeyStore(
        placeOfKeys(config, client),
        await rememberedMark(engineSettings(config)),
        await store.readMark(),
      )
      const progress = (count: number) =>
        output.progress(`${count} keys of organisations wrapped with the new key`)
      const result = await rotateMasterKey({ store, keyFile, onlyThisMachine: !clustered, progress })
      output.result({ file: keyFile, ...result }, describe(result, keyFile, clustered))
    } finally {
      await store[Symbol.asyncDispose]()
    }
  } finally {
    await client?.shutdown()
  }
}

const describe = (result: RotationResult, keyFile: string, clustered: boolean): string => {
  if (result.is === 'prepared') {
    return [
      `${keyFile} has a second key, ${result.next}, which nothing uses yet.`,
      'Now copy the file to every node, then run vouchsafe vault rotate here again.',
    ].join('\n')
  }
  const done = `The master key is ${result.current} now (${result.rewrapped} keys wrapped with it); the old one opens nothing any more.`
  return clustered ? `${done}\nCopy ${keyFile} to every node, so that the old key leaves them too.` : done
}
