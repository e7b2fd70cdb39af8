import type { Config } from './env.ts'

type Rule = { readonly broken: (config: Config) => boolean; readonly line: string }

const rules: readonly Rule[] = [
  {
    broken: ({ http }) => (http.tlsCertFile === '') !== (http.tlsKeyFile === ''),
    line: 'VOUCHSAFE_TLS_CERT_FILE and VOUCHSAFE_TLS_KEY_FILE must be set together',
  },
  {
    broken: ({ http, operations }) => http.port !== 0 && http.port === operations.privatePort,
    line: 'PORT and VOUCHSAFE_PRIVATE_PORT must differ: metrics do not belong on the public port',
  },
  {
    broken: ({ journal, cassandra }) =>
      journal.engine === 'cassandra' && cassandra.contactPoints.length === 0,
    line: 'VOUCHSAFE_JOURNAL=cassandra needs VOUCHSAFE_CASSANDRA_CONTACT_POINTS',
  },
  {
    broken: ({ journal, cassandra }) => journal.engine === 'sqlite' && cassandra.contactPoints.length > 0,
    line: 'VOUCHSAFE_CASSANDRA_CONTACT_POINTS is set, but VOUCHSAFE_JOURNAL is sqlite: set it to cassandra or remove the contact points',
  },
  {
    broken: ({ journal, storage }) => journal.engine === 'cassandra' && storage.vaultKeyFile === '',
    line: 'VOUCHSAFE_JOURNAL=cassandra needs VOUCHSAFE_VAULT_KEY_FILE: every node must have the same master key',
  },
  {
    broken: ({ cassandra }) => (cassandra.username === '') !== (cassandra.passwordFile === ''),
    line: 'VOUCHSAFE_CASSANDRA_USERNAME and VOUCHSAFE_CASSANDRA_PASSWORD_FILE must be set together',
  },
  {
    broken: ({ cassandra }) => namesTls(cassandra) && !cassandra.tls,
    line: 'VOUCHSAFE_CASSANDRA_TLS_… names files or a host name, but VOUCHSAFE_CASSANDRA_TLS is false: set it to true or remove them',
  },
  {
    broken: ({ cassandra }) => (cassandra.tlsCertFile === '') !== (cassandra.tlsKeyFile === ''),
    line: 'VOUCHSAFE_CASSANDRA_TLS_CERT_FILE and VOUCHSAFE_CASSANDRA_TLS_KEY_FILE must be set together',
  },
  {
    broken: ({ cassandra }) =>
      cassandra.otherDatacenters.some(({ datacenter }) => datacenter === cassandra.localDatacenter),
    line: 'VOUCHSAFE_CASSANDRA_OTHER_DATACENTERS must not name the local datacenter: VOUCHSAFE_CASSANDRA_REPLICATION_FACTOR is for that one',
  },
  {
    broken: ({ stream }) => namesTls(stream) && !stream.tls,
    line: 'VOUCHSAFE_KAFKA_TLS_… names files, but VOUCHSAFE_KAFKA_TLS is false: set it to true or remove them',
  },
  {
    broken: ({ stream }) => (stream.tlsCertFile === '') !== (stream.tlsKeyFile === ''),
    line: 'VOUCHSAFE_KAFKA_TLS_CERT_FILE and VOUCHSAFE_KAFKA_TLS_KEY_FILE must be set together',
  },
  {
    broken: ({ stream }) =>
      (stream.kafkaSasl === 'none') !== (stream.kafkaUsername === '') ||
      (stream.kafkaSasl === 'none') !== (stream.kafkaPasswordFile === ''),
    line: 'VOUCHSAFE_KAFKA_SASL, VOUCHSAFE_KAFKA_USERNAME and VOUCHSAFE_KAFKA_PASSWORD_FILE must be set together',
  },
  {
    broken: ({ stream }) => stream.engine === 'kafka' && stream.kafkaBrokers.length === 0,
    line: 'VOUCHSAFE_STREAM=kafka needs VOUCHSAFE_KAFKA_BROKERS',
  },
  {
    broken: ({ stream }) => stream.engine === 'in-process' && stream.kafkaBrokers.length > 0,
    line: 'VOUCHSAFE_KAFKA_BROKERS is set, but VOUCHSAFE_STREAM is in-process: set it to kafka or remove the brokers',
  },
  {
    broken: ({ ledger }) =>
      ledger.engine === 'indy' &&
      ((ledger.genesisFile === '' && ledger.genesisUrl === '') || ledger.endorserSeedFile === ''),
    line: 'VOUCHSAFE_LEDGER=indy needs VOUCHSAFE_LEDGER_GENESIS_FILE (or VOUCHSAFE_LEDGER_GENESIS_URL) and VOUCHSAFE_LEDGER_ENDORSER_SEED_FILE',
  },
  {
    broken: ({ ledger }) => ledger.genesisFile !== '' && ledger.genesisUrl !== '',
    line: 'VOUCHSAFE_LEDGER_GENESIS_FILE and VOUCHSAFE_LEDGER_GENESIS_URL name the same thing: remove one of them',
  },
  {
    broken: ({ ledger }) => ledger.genesisUrl !== '' && ledger.genesisSha256 === '',
    line: 'VOUCHSAFE_LEDGER_GENESIS_URL needs VOUCHSAFE_LEDGER_GENESIS_SHA256: whoever answers at that address would decide which ledger is believed',
  },
  {
    broken: ({ ledger }) => ledger.genesisSha256 !== '' && !/^[0-9a-f]{64}$/i.test(ledger.genesisSha256),
    line: 'VOUCHSAFE_LEDGER_GENESIS_SHA256 must be 64 hex digits',
  },
  {
    broken: ({ egress }) => egress.awsUrl !== '' && !egress.allowPrivateTargets,
    line: 'VOUCHSAFE_AWS_URL is for tests: it needs VOUCHSAFE_ALLOW_PRIVATE_TARGETS=true',
  },
  {
    broken: ({ cluster }) => cluster.deadAfterMs < 3 * cluster.heartbeatIntervalMs,
    line: 'VOUCHSAFE_DEAD_AFTER_MS must be at least three times VOUCHSAFE_HEARTBEAT_INTERVAL_MS, or a hiccup kills a node',
  },
  {
    broken: ({ egress }) => egress.proxy !== '' && !/^http:\/\/[^/@]+$/.test(egress.proxy),
    line: 'VOUCHSAFE_EGRESS_PROXY must be an http address without user name, password and path',
  },
  {
    broken: ({ actors }) => actors.actorQueueMax > actors.shardQueueMax,
    line: 'VOUCHSAFE_ACTOR_QUEUE_MAX must not be larger than VOUCHSAFE_SHARD_QUEUE_MAX',
  },
]

type TlsFiles = { readonly tlsCaFile: string; readonly tlsCertFile: string; readonly tlsKeyFile: string }

const namesTls = ({
  tlsCaFile,
  tlsCertFile,
  tlsKeyFile,
  ...more
}: TlsFiles & { tlsServerName?: string }): boolean =>
  [tlsCaFile, tlsCertFile, tlsKeyFile, more.tlsServerName ?? ''].some((name) => name !== '')

/** The contradictions between settings that are fine alone, one line each. */
export const contradictions = (config: Config): string[] =>
  rules.filter((rule) => rule.broken(config)).map((rule) => rule.line)

const unusual: readonly Rule[] = [
  {
    broken: ({ journal, ledger }) => journal.engine === 'cassandra' && ledger.engine === 'sandbox',
    line: 'VOUCHSAFE_JOURNAL=cassandra with VOUCHSAFE_LEDGER=sandbox: every node has a ledger of its own that no other node can read; for more than one node set VOUCHSAFE_LEDGER=indy.',
  },
  {
    broken: ({ cassandra }) => cassandra.username !== '' && !cassandra.tls,
    line: 'VOUCHSAFE_CASSANDRA_USERNAME without VOUCHSAFE_CASSANDRA_TLS: the password goes over the network in clear.',
  },
  {
    broken: ({ stream }) => stream.kafkaSasl === 'plain' && !stream.tls,
    line: 'VOUCHSAFE_KAFKA_SASL=plain without VOUCHSAFE_KAFKA_TLS: the password goes over the network in clear.',
  },
]

/** Combinations that work but are hardly ever meant: printed at the start, not refused. */
export const warnings = (config: Config): string[] =>
  unusual.filter((rule) => rule.broken(config)).map((rule) => rule.line)
