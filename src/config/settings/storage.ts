import { choice, copies, file, folder, integer, list, text } from '../setting.ts'
import { tlsSettings } from '../tls-settings.ts'

export const storage = {
  dataFolder: folder('VOUCHSAFE_DATA_FOLDER', {
    default: '.data',
    doc: 'Folder for everything the service keeps on this machine; created at the first start.',
  }),
  vaultKeyFile: file('VOUCHSAFE_VAULT_KEY_FILE', {
    default: '',
    doc: 'File with the master key that wraps every other key. Empty: vault.key in the data folder, created at the first embedded start.',
  }),
  vaultCacheKeysMax: integer('VOUCHSAFE_VAULT_CACHE_KEYS_MAX', {
    default: 50_000,
    min: 16,
    max: 10_000_000,
    doc: 'Keys of records kept in memory besides those of the actors in memory.',
  }),
  vaultCacheSeconds: integer('VOUCHSAFE_VAULT_CACHE_SECONDS', {
    default: 600,
    min: 1,
    max: 86_400,
    doc: 'How long a key is kept in memory before the key store is asked again.',
  }),
  vaultTimeoutMs: integer('VOUCHSAFE_VAULT_TIMEOUT_MS', {
    default: 5_000,
    min: 100,
    max: 60_000,
    doc: 'How long the key store may take for one answer; after that the caller gets a retryable error.',
  }),
}

export const journal = {
  engine: choice('VOUCHSAFE_JOURNAL', {
    choices: ['sqlite', 'cassandra'],
    default: 'sqlite',
    doc: 'Where events are kept: one file on this machine, or a Cassandra cluster shared by several nodes.',
  }),
  batchEntriesMax: integer('VOUCHSAFE_JOURNAL_BATCH_ENTRIES_MAX', {
    default: 1_024,
    min: 1,
    max: 10_000,
    doc: 'Most decided commands that are committed together in one batch of a shard.',
  }),
  batchBytesMax: integer('VOUCHSAFE_JOURNAL_BATCH_BYTES_MAX', {
    default: 1_048_576,
    min: 16_384,
    max: 4_194_304,
    doc: 'Most bytes of events in one batch of a shard.',
  }),
  copyLagEventsMax: integer('VOUCHSAFE_JOURNAL_COPY_LAG_EVENTS_MAX', {
    default: 10_000,
    min: 100,
    max: 1_000_000,
    doc: "Most events of a shard that may wait to be copied to their actors before new work is held back; bounds a takeover's time.",
  }),
}

export const cassandra = {
  contactPoints: list('VOUCHSAFE_CASSANDRA_CONTACT_POINTS', {
    default: [],
    doc: 'Cassandra nodes to connect to first: host or host:port, comma-separated.',
  }),
  localDatacenter: text('VOUCHSAFE_CASSANDRA_LOCAL_DATACENTER', {
    default: 'datacenter1',
    doc: "Datacenter whose nodes get the requests, by its name in Cassandra's own configuration.",
  }),
  keyspace: text('VOUCHSAFE_CASSANDRA_KEYSPACE', {
    default: 'vouchsafe',
    doc: 'Keyspace of the journal.',
  }),
  replicationFactor: integer('VOUCHSAFE_CASSANDRA_REPLICATION_FACTOR', {
    default: 3,
    min: 1,
    max: 9,
    doc: 'Copies of every row in the local datacenter, used when the keyspaces are created.',
  }),
  otherDatacenters: copies('VOUCHSAFE_CASSANDRA_OTHER_DATACENTERS', {
    default: [],
    doc: 'Further datacenters that keep copies, and how many each: east:3,west:2. Used when the keyspaces are created.',
  }),
  consistency: choice('VOUCHSAFE_CASSANDRA_CONSISTENCY', {
    choices: ['quorum', 'local_quorum'],
    default: 'quorum',
    doc: 'Consistency of reads and writes; conditional writes use serial or local_serial to match. With local_quorum all nodes of the service must name the same local datacenter: two datacenters agree on nothing with each other.',
  }),
  username: text('VOUCHSAFE_CASSANDRA_USERNAME', {
    default: '',
    doc: 'User name; empty: no authentication.',
  }),
  passwordFile: file('VOUCHSAFE_CASSANDRA_PASSWORD_FILE', {
    default: '',
    doc: 'File whose first line is the password.',
  }),
  ...tlsSettings(
    {
      tls: 'VOUCHSAFE_CASSANDRA_TLS',
      ca: 'VOUCHSAFE_CASSANDRA_TLS_CA_FILE',
      cert: 'VOUCHSAFE_CASSANDRA_TLS_CERT_FILE',
      key: 'VOUCHSAFE_CASSANDRA_TLS_KEY_FILE',
    },
    'Cassandra',
  ),
  tlsServerName: text('VOUCHSAFE_CASSANDRA_TLS_SERVER_NAME', {
    default: '',
    doc: 'Host name that the certificate of every Cassandra node must have. Empty: the address of the node, as Cassandra tells it.',
  }),
  requestTimeoutMs: integer('VOUCHSAFE_CASSANDRA_REQUEST_TIMEOUT_MS', {
    default: 5_000,
    min: 100,
    max: 60_000,
    doc: 'How long one request may take; after that its outcome counts as unknown.',
  }),
}

export const stream = {
  engine: choice('VOUCHSAFE_STREAM', {
    choices: ['in-process', 'kafka'],
    default: 'in-process',
    doc: 'How committed events reach webhooks and streams of events: inside the process, or over Kafka between nodes.',
  }),
  kafkaBrokers: list('VOUCHSAFE_KAFKA_BROKERS', {
    default: [],
    doc: 'Kafka brokers to connect to first: host:port, comma-separated.',
  }),
  kafkaTopicPrefix: text('VOUCHSAFE_KAFKA_TOPIC_PREFIX', {
    default: 'vouchsafe',
    doc: 'First part of the name of every topic and consumer group.',
  }),
  kafkaPartitions: integer('VOUCHSAFE_KAFKA_PARTITIONS', {
    default: 32,
    min: 1,
    max: 1_024,
    doc: 'Partitions of a topic when it is made: the most nodes that can share its work. An organisation stays in one.',
  }),
  kafkaReplicationFactor: integer('VOUCHSAFE_KAFKA_REPLICATION_FACTOR', {
    default: 3,
    min: 1,
    max: 9,
    doc: 'Copies of every event when a topic is made, at most one on each broker. With three and more an event counts as kept when two brokers have it.',
  }),
  kafkaRetentionHours: integer('VOUCHSAFE_KAFKA_RETENTION_HOURS', {
    default: 168,
    min: 1,
    max: 8_760,
    doc: 'How long a topic keeps events when it is made; the longest time for which its readers may be away.',
  }),
  kafkaSasl: choice('VOUCHSAFE_KAFKA_SASL', {
    choices: ['none', 'plain', 'scram-sha-256', 'scram-sha-512'],
    default: 'none',
    doc: 'How the service says to the brokers who it is.',
  }),
  kafkaUsername: text('VOUCHSAFE_KAFKA_USERNAME', {
    default: '',
    doc: 'User name for SASL.',
  }),
  kafkaPasswordFile: file('VOUCHSAFE_KAFKA_PASSWORD_FILE', {
    default: '',
    doc: 'File whose first line is the password for SASL.',
  }),
  ...tlsSettings(
    {
      tls: 'VOUCHSAFE_KAFKA_TLS',
      ca: 'VOUCHSAFE_KAFKA_TLS_CA_FILE',
      cert: 'VOUCHSAFE_KAFKA_TLS_CERT_FILE',
      key: 'VOUCHSAFE_KAFKA_TLS_KEY_FILE',
    },
    'the brokers',
  ),
  kafkaRequestTimeoutMs: integer('VOUCHSAFE_KAFKA_REQUEST_TIMEOUT_MS', {
    default: 10_000,
    min: 500,
    max: 120_000,
    doc: 'How long one request to a broker may take.',
  }),
}
