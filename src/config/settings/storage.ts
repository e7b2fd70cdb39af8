import { choice, file, folder, integer, list, text } from '../setting.ts'

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
    doc: 'Copies of every row, used when the keyspace is created.',
  }),
  consistency: choice('VOUCHSAFE_CASSANDRA_CONSISTENCY', {
    choices: ['quorum', 'local_quorum'],
    default: 'quorum',
    doc: 'Consistency of reads and writes; conditional writes use serial or local_serial to match.',
  }),
  username: text('VOUCHSAFE_CASSANDRA_USERNAME', {
    default: '',
    doc: 'User name; empty: no authentication.',
  }),
  passwordFile: file('VOUCHSAFE_CASSANDRA_PASSWORD_FILE', {
    default: '',
    doc: 'File whose first line is the password.',
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
  kafkaRequestTimeoutMs: integer('VOUCHSAFE_KAFKA_REQUEST_TIMEOUT_MS', {
    default: 10_000,
    min: 500,
    max: 120_000,
    doc: 'How long one request to a broker may take.',
  }),
}
