import type { Command } from 'commander'
import { type Environment, loadConfig } from '../config/config.ts'
import { keyspaceOfKeys, migrateCassandra } from '../persistence/cassandra/migrate.ts'
import { cassandraSettings } from '../persistence/engine-settings.ts'
import { action } from './action.ts'

export const registerMigrate = (program: Command, environment: Environment): void => {
  program
    .command('migrate')
    .description('make the keyspaces in Cassandra, or bring their tables to this release')
    .action(
      action(async (_, output) => {
        const { value, text } = await migrate(environment)
        output.result(value, text)
      }),
    )
}

/** The journal file of the embedded engine migrates itself when it is opened. */
const migrate = async (
  environment: Environment,
): Promise<{ readonly value: object; readonly text: string }> => {
  const config = loadConfig(environment)
  if (config.journal.engine === 'sqlite') {
    const text = 'The journal is a file, which is migrated at every start: nothing to do.'
    return { value: { engine: 'sqlite' }, text }
  }
  const settings = cassandraSettings(config.cassandra)
  const { from, to } = await migrateCassandra(settings)
  const keyspaces = [settings.keyspace, keyspaceOfKeys(settings.keyspace)]
  const version = from === to ? `${to} already` : `${to} now (before: ${from})`
  const text = `Keyspaces ${keyspaces.join(' and ')} are of version ${version}.`
  return { value: { engine: 'cassandra', keyspaces, from, to }, text }
}
