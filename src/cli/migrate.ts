import type { Command } from 'commander'
import { type Config, type Environment, loadConfig } from '../config/config.ts'
import { keyspaceOfKeys, migrateCassandra } from '../persistence/cassandra/migrate.ts'
import { cassandraSettings } from '../persistence/engine-settings.ts'
import { migrateKafka } from '../stream/kafka-topics.ts'
import { action } from './action.ts'

export const registerMigrate = (program: Command, environment: Environment): void => {
  program
    .command('migrate')
    .description(
      'make the keyspaces in Cassandra and the topics in Kafka, bring the tables to this release, and check both',
    )
    .action(
      action(async (_, output) => {
        const config = loadConfig(environment)
        const journal = await output.during('The tables are looked at and made,', migrateJournal(config))
        const stream = await output.during('The topics are looked at and made,', migrateStream(config))
        const warnings = [...journal.warnings, ...stream.warnings]
        for (const warning of warnings) output.note(warning)
        const value = { ...journal.value, ...stream.value, ...(warnings.length > 0 && { warnings }) }
        output.result(value, [...journal.lines, ...stream.lines].join('\n'))
      }),
    )
}

type Part = {
  readonly value: object
  readonly lines: readonly string[]
  readonly warnings: readonly string[]
}

/** The journal file of the embedded engine migrates itself when it is opened. */
const migrateJournal = async ({ journal, cassandra }: Config): Promise<Part> => {
  if (journal.engine === 'sqlite') {
    const line = 'The journal is a file, which is migrated at every start: nothing to do.'
    return { value: { engine: 'sqlite' }, lines: [line], warnings: [] }
  }
  const settings = cassandraSettings(cassandra)
  const { from, to, warnings } = await migrateCassandra(settings)
  const keyspaces = [settings.keyspace, keyspaceOfKeys(settings.keyspace)]
  const version = from === to ? `${to} already` : `${to} now (before: ${from})`
  const line = `Keyspaces ${keyspaces.join(' and ')} are of version ${version}.`
  return { value: { engine: 'cassandra', keyspaces, from, to }, lines: [line], warnings }
}

const migrateStream = async ({ stream }: Config): Promise<Part> => {
  if (stream.engine === 'in-process') return { value: {}, lines: [], warnings: [] }
  const { topics, warnings } = await migrateKafka(stream)
  const lines = topics.map(
    ({ topic, isNew, partitions, copies, retentionHours }) =>
      `Topic ${topic} ${isNew ? 'is made' : 'is there'}: partitions ${partitions}, copies ${copies}, kept for ${Math.round(retentionHours)} hours.`,
  )
  return { value: { topics }, lines, warnings }
}
