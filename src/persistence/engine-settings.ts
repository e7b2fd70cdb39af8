import { readFileSync } from 'node:fs'
import type { Config } from '../config/config.ts'

export type EngineSettings =
  | { readonly engine: 'sqlite'; readonly dataFolder: string }
  | { readonly engine: 'cassandra'; readonly cassandra: CassandraSettings }

/** What the engine on Cassandra needs of the configuration. */
export type CassandraSettings = Omit<Config['cassandra'], 'username' | 'passwordFile'> & {
  /** Null where Cassandra asks for no authentication. */
  readonly credentials: { readonly username: string; readonly password: string } | null
}

export const engineSettings = (config: Pick<Config, 'journal' | 'storage' | 'cassandra'>): EngineSettings =>
  config.journal.engine === 'sqlite'
    ? { engine: 'sqlite', dataFolder: config.storage.dataFolder }
    : { engine: 'cassandra', cassandra: cassandraSettings(config.cassandra) }

export const cassandraSettings = ({
  username,
  passwordFile,
  ...settings
}: Config['cassandra']): CassandraSettings => {
  const credentials = username === '' ? null : { username, password: firstLine(passwordFile) }
  return { ...settings, credentials }
}

const firstLine = (file: string): string => readFileSync(file, 'utf8').split(/\r?\n/)[0] ?? ''
