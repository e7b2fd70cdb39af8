import { readFileSync } from 'node:fs'
import type { Config } from '../config/config.ts'

export type EngineSettings =
  | { readonly engine: 'sqlite'; readonly dataFolder: string }
  | { readonly engine: 'cassandra'; readonly cassandra: CassandraSettings }

/** What the engine on Cassandra needs of the configuration. */
export type CassandraSettings = {
  readonly contactPoints: readonly string[]
  readonly localDatacenter: string
  readonly keyspace: string
  /** Only used when the keyspace is created. */
  readonly replicationFactor: number
  readonly consistency: 'quorum' | 'local_quorum'
  /** Null where Cassandra asks for no authentication. */
  readonly credentials: { readonly username: string; readonly password: string } | null
  readonly requestTimeoutMs: number
}

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
