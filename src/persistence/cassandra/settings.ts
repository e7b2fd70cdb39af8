/** What the engine needs of the configuration. */
export type CassandraSettings = {
  readonly contactPoints: readonly string[]
  readonly localDatacenter: string
  readonly keyspace: string
  /** Used when the keyspace is created. */
  readonly replicationFactor: number
  readonly consistency: 'quorum' | 'local_quorum'
  /** Null: no authentication. */
  readonly credentials: { readonly username: string; readonly password: string } | null
  readonly requestTimeoutMs: number
}
