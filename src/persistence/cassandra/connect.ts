import { auth, Client, policies, types } from 'cassandra-driver'
import type { CassandraSettings } from '../engine-settings.ts'

const RECONNECT_FIRST_MS = 500
const RECONNECT_MAX_MS = 10_000
const CONNECTIONS_PER_HOST = 2
const REQUESTS_PER_CONNECTION_MAX = 8_192

/** Connects without a keyspace only to create one. */
export const connectCassandra = async (
  settings: CassandraSettings,
  { keyspace = settings.keyspace }: { keyspace?: string | null } = {},
): Promise<Client> => {
  const client = new Client({
    contactPoints: [...settings.contactPoints],
    localDataCenter: settings.localDatacenter,
    ...(keyspace !== null && { keyspace }),
    ...(settings.credentials !== null && {
      authProvider: new auth.PlainTextAuthProvider(
        settings.credentials.username,
        settings.credentials.password,
      ),
    }),
    // The library's own default takes any certificate.
    ...(settings.tls !== null && { sslOptions: { ...settings.tls, rejectUnauthorized: true } }),
    socketOptions: { connectTimeout: settings.requestTimeoutMs, readTimeout: settings.requestTimeoutMs },
    pooling: {
      coreConnectionsPerHost: { [types.distance.local]: CONNECTIONS_PER_HOST, [types.distance.remote]: 1 },
      maxRequestsPerConnection: REQUESTS_PER_CONNECTION_MAX,
    },
    policies: {
      // The driver's default waits for up to ten minutes once a node was away for long.
      reconnection: new policies.reconnection.ExponentialReconnectionPolicy(
        RECONNECT_FIRST_MS,
        RECONNECT_MAX_MS,
        false,
      ),
    },
  })
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.shutdown()
    throw explain(error, settings)
  }
}

const explain = (error: unknown, { keyspace, contactPoints }: CassandraSettings): Error => {
  // After the first line the driver's message has the stack of the first host's error.
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  if (/keyspace .*does not exist/i.test(message)) {
    return new Error(`Cassandra has no keyspace ${keyspace}: run vouchsafe migrate`, { cause: error })
  }
  return new Error(`Cassandra cannot be reached at ${contactPoints.join(', ')}: ${message}`, { cause: error })
}
