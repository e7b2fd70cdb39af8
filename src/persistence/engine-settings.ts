import { readFileSync } from 'node:fs'
import type { Config } from '../config/config.ts'

export type EngineSettings =
  | { readonly engine: 'sqlite'; readonly dataFolder: string }
  | { readonly engine: 'cassandra'; readonly cassandra: CassandraSettings }

type FromFiles =
  | 'username'
  | 'passwordFile'
  | 'tls'
  | 'tlsCaFile'
  | 'tlsCertFile'
  | 'tlsKeyFile'
  | 'tlsServerName'

/** What the engine on Cassandra needs of the configuration. */
export type CassandraSettings = Omit<Config['cassandra'], FromFiles> & {
  /** Null where Cassandra asks for no authentication. */
  readonly credentials: { readonly username: string; readonly password: string } | null
  /** Null where the connection is in clear. */
  readonly tls: CassandraTls | null
}

export type CassandraTls = {
  /** Undefined: the authorities that Node brings. */
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
  /** Undefined: the address of each node. */
  readonly servername: string | undefined
}

export const engineSettings = (config: Pick<Config, 'journal' | 'storage' | 'cassandra'>): EngineSettings =>
  config.journal.engine === 'sqlite'
    ? { engine: 'sqlite', dataFolder: config.storage.dataFolder }
    : { engine: 'cassandra', cassandra: cassandraSettings(config.cassandra) }

export const cassandraSettings = (config: Config['cassandra']): CassandraSettings => {
  const { username, passwordFile, tls, tlsCaFile, tlsCertFile, tlsKeyFile, tlsServerName, ...settings } =
    config
  return {
    ...settings,
    credentials: username === '' ? null : { username, password: firstLine(passwordFile) },
    tls: tls
      ? {
          ca: wholeFile(tlsCaFile),
          cert: wholeFile(tlsCertFile),
          key: wholeFile(tlsKeyFile),
          servername: tlsServerName || undefined,
        }
      : null,
  }
}

const firstLine = (file: string): string => readFileSync(file, 'utf8').split(/\r?\n/)[0] ?? ''
const wholeFile = (file: string): string | undefined => (file === '' ? undefined : readFileSync(file, 'utf8'))
