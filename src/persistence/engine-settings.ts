import { readFileSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import type { CassandraSettings } from './cassandra/settings.ts'

export type EngineSettings =
  | { readonly engine: 'sqlite'; readonly dataFolder: string }
  | { readonly engine: 'cassandra'; readonly cassandra: CassandraSettings }

export const engineSettings = (config: Pick<Config, 'journal' | 'storage' | 'cassandra'>): EngineSettings =>
  config.journal.engine === 'sqlite'
    ? { engine: 'sqlite', dataFolder: config.storage.dataFolder }
    : { engine: 'cassandra', cassandra: cassandraSettings(config.cassandra) }

export const cassandraSettings = (config: Config['cassandra']): CassandraSettings => {
  const { contactPoints, localDatacenter, keyspace, replicationFactor, consistency, requestTimeoutMs } =
    config
  const credentials =
    config.username === '' ? null : { username: config.username, password: firstLine(config.passwordFile) }
  return {
    contactPoints,
    localDatacenter,
    keyspace,
    replicationFactor,
    consistency,
    credentials,
    requestTimeoutMs,
  }
}

const firstLine = (file: string): string => readFileSync(file, 'utf8').split(/\r?\n/)[0] ?? ''
