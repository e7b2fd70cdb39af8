import { choice, file, flag, integer, ports, text, url } from '../setting.ts'

export const actors = {
  askTimeoutMs: integer('VOUCHSAFE_ASK_TIMEOUT_MS', {
    default: 10_000,
    min: 100,
    max: 120_000,
    doc: 'How long a caller waits for an actor; after that the answer is a retryable 503, and a retry finds the outcome.',
  }),
  residentMax: integer('VOUCHSAFE_RESIDENT_ACTORS_MAX', {
    default: 20_000,
    min: 16,
    max: 10_000_000,
    doc: 'Actors kept in memory; beyond this the least recently used idle ones leave.',
  }),
  idleSeconds: integer('VOUCHSAFE_ACTOR_IDLE_SECONDS', {
    default: 300,
    min: 1,
    max: 86_400,
    doc: 'An actor that gets no command or question for this long leaves memory.',
  }),
  actorQueueMax: integer('VOUCHSAFE_ACTOR_QUEUE_MAX', {
    default: 256,
    min: 1,
    max: 100_000,
    doc: 'Commands that may wait for one actor; more get 503 overloaded.',
  }),
  shardQueueMax: integer('VOUCHSAFE_SHARD_QUEUE_MAX', {
    default: 8_192,
    min: 16,
    max: 1_000_000,
    doc: 'Commands that may wait for all actors of one shard; more get 503 overloaded.',
  }),
  tenantSharePercent: integer('VOUCHSAFE_TENANT_SHARE_PERCENT', {
    default: 50,
    min: 1,
    max: 100,
    doc: "Most of a shard's queue that the commands of one organisation may fill.",
  }),
}

export const cluster = {
  nodeName: text('VOUCHSAFE_NODE_NAME', {
    default: '',
    doc: 'Name of this node, different from every other and the same after a restart. Empty: the name of the machine.',
  }),
  nodeAddress: text('VOUCHSAFE_NODE_ADDRESS', {
    default: '',
    doc: 'Address at which other nodes reach this node, host:port. Empty: the name of the machine and the private port.',
  }),
  secretFile: file('VOUCHSAFE_CLUSTER_SECRET_FILE', {
    default: '',
    doc: 'File with the secret by which nodes prove to each other that they belong together: a line of 32 characters and more, the same on every node. While it is exchanged it has two lines, the first of which proves and both of which are accepted; it is read again every few seconds. Cassandra needs it.',
  }),
  linkHost: text('VOUCHSAFE_LINK_HOST', {
    default: '127.0.0.1',
    doc: 'Address on which this node listens for other nodes; 0.0.0.0 for every interface, never a public one.',
  }),
  linkPort: integer('VOUCHSAFE_LINK_PORT', {
    default: 9465,
    min: 0,
    max: 65_535,
    doc: 'Port on which this node listens for other nodes; 0 lets the system choose a free one.',
  }),
  linkAddress: text('VOUCHSAFE_LINK_ADDRESS', {
    default: '',
    doc: 'Address at which other nodes reach the port for nodes, host:port. Empty: the name of the machine and that port.',
  }),
  heartbeatIntervalMs: integer('VOUCHSAFE_HEARTBEAT_INTERVAL_MS', {
    default: 2_000,
    min: 100,
    max: 60_000,
    doc: 'Pause between two heartbeats of a node.',
  }),
  deadAfterMs: integer('VOUCHSAFE_DEAD_AFTER_MS', {
    default: 10_000,
    min: 500,
    max: 600_000,
    doc: 'A node without a heartbeat for this long counts as dead, and other nodes take its shards.',
  }),
}

export const anoncreds = {
  engine: choice('VOUCHSAFE_ANONCREDS_ENGINE', {
    choices: ['auto', 'native', 'library', 'compare'],
    default: 'auto',
    doc: "Signature engine: the service's own where it loads (auto), always its own (native), always libanoncreds (library), or both, with a refusal when they disagree (compare).",
  }),
  workers: integer('VOUCHSAFE_CRYPTO_WORKERS', {
    default: 0,
    min: 0,
    max: 256,
    doc: 'Threads that sign and verify; 0: one per core.',
  }),
  queueMax: integer('VOUCHSAFE_CRYPTO_QUEUE_MAX', {
    default: 1_000,
    min: 1,
    max: 100_000,
    doc: 'Signatures and verifications that may wait; more get 503 overloaded.',
  }),
}

export const policy = {
  developmentTenant: flag('VOUCHSAFE_DEVELOPMENT_TENANT', {
    default: true,
    doc: 'The first start on SQLite with the sandbox ledger creates an organisation for trials and shows its API key and the link to its console once. This never happens with Cassandra or another ledger.',
  }),
  referenceImagesMegabytesMax: integer('VOUCHSAFE_REFERENCE_IMAGES_MEGABYTES_MAX', {
    default: 2_048,
    min: 16,
    max: 1_048_576,
    doc: 'Room for the sealed images of all face checks under way that one node has let in. Beyond it offers and requests with an image get 503 overloaded; one organisation fills half of it at most.',
  }),
  offerItemsPerMinuteMax: integer('VOUCHSAFE_OFFER_ITEMS_PER_MINUTE_MAX', {
    default: 10_000,
    min: 1_000,
    max: 10_000_000,
    doc: 'Most items that an organisation may send in requests for many offers (POST /v1/credentials/offers) in any 60 s, with all its keys together; more get 429.',
  }),
  retentionRecordsPerSecondMax: integer('VOUCHSAFE_RETENTION_RECORDS_PER_SECOND_MAX', {
    default: 100,
    min: 1,
    max: 100_000,
    doc: 'Most finished exchanges whose personal data one node erases in a second because their retention is over, and most records that the deletion of an organisation removes. To keep up it must be more than finish in a second over the whole day.',
  }),
}

export const egress = {
  webhookConcurrency: integer('VOUCHSAFE_WEBHOOK_CONCURRENCY', {
    default: 16,
    min: 1,
    max: 1_000,
    doc: 'Most webhook deliveries to one endpoint at the same time.',
  }),
  allowPrivateTargets: flag('VOUCHSAFE_ALLOW_PRIVATE_TARGETS', {
    default: false,
    doc: 'For development only: webhooks and wallet messages may go to private addresses and over plain http.',
  }),
  awsUrl: text('VOUCHSAFE_AWS_URL', {
    default: '',
    doc: 'For tests only: where Rekognition and STS of AWS are played. Empty: where AWS has them. It needs VOUCHSAFE_ALLOW_PRIVATE_TARGETS.',
  }),
  targetPorts: ports('VOUCHSAFE_EGRESS_PORTS', {
    default: [],
    doc: 'The only ports that webhooks and wallet messages may go to, as 443,8443; empty: all ports.',
  }),
  proxy: url('VOUCHSAFE_EGRESS_PROXY', {
    default: '',
    doc: 'An HTTP proxy through which all webhooks and wallet messages go, as http://proxy.internal:3128. It is asked (CONNECT) for the address that was looked up and checked here, not for the host name.',
  }),
}
