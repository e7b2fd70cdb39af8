import type { Command } from 'commander'
import { ConfigError, type Environment, loadConfig } from '../config/config.ts'
import { keyspaceOfKeys, migrateCassandra } from '../persistence/cassandra/migrate.ts'
import { cassandraSettings } from '../persistence/engine-settings.ts'
import { type Output, outputOf } from './output.ts'

export const registerMigrate = (program: Command, environment: Environment): void => {
  program
    .command('migrate')
    .description('make the keyspaces in Cassandra, or bring their tables to this release')
    .action(async (_options, command: Command) => {
      process.exitCode = await migrate(environment, outputOf(command))
    })
}

/** The journal file of the embedded engine migrates itself when it is opened. */
const migrate = async (environment: Environment, output: Output): Promise<number> => {
  try {
    const config = loadConfig(environment)
    if (config.journal.engine === 'sqlite') {
      output.result(
        { engine: 'sqlite' },
        'The journal is a file, which is migrated at every start: nothing to do.',
      )
      return 0
    }
    const settings = cassandraSettings(config.cassandra)
    const { from, to } = await migrateCassandra(settings)
    const keyspaces = [settings.keyspace, keyspaceOfKeys(settings.keyspace)]
    const text =
      from === to
        ? `Keyspaces ${keyspaces.join(' and ')} are of version ${to} already.`
        : `Keyspaces ${keyspaces.join(' and ')} are of version ${to} now (before: ${from}).`
    output.result({ engine: 'cassandra', keyspaces, from, to }, text)
    return 0
  } catch (error) {
    output.failure(error instanceof ConfigError ? error.mistakes : [(error as Error).message])
    return 1
  }
}
