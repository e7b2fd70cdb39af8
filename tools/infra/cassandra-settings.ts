import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ServerSecurity, writeStores } from './server-security.ts'

export type CassandraSettings = {
  readonly folder: string
  readonly address: string
  readonly seed: string
  readonly cqlPort: number
  readonly storagePort: number
  readonly jmxPort: number
  readonly commitLogSync: 'batch' | 'periodic'
  /** Left out: Cassandra's own 32. */
  readonly logSegmentMegabytes?: number
  readonly heapMegabytes: number
  readonly classPath: readonly string[]
  /** Within which its nodes answer each other; left out: what Cassandra takes for right. */
  readonly answerLimitMs?: number
  /** Left out: in clear, and open to everybody who reaches it. */
  readonly security?: ServerSecurity
}

const EXPORTED = [
  'java.base/jdk.internal.misc',
  'java.base/java.lang.ref',
  'java.management.rmi/com.sun.jmx.remote.internal.rmi',
  'java.rmi/sun.rmi.registry',
  'java.rmi/sun.rmi.server',
  'java.sql/java.sql',
  'jdk.unsupported/sun.misc',
  'jdk.compiler/com.sun.tools.javac.file',
  'jdk.attach/sun.tools.attach',
]

const OPENED = [
  'java.base/java.lang',
  'java.base/java.lang.module',
  'java.base/java.lang.reflect',
  'java.base/java.io',
  'java.base/java.util',
  'java.base/sun.nio.ch',
  'java.base/jdk.internal.loader',
  'java.base/jdk.internal.ref',
  'java.base/jdk.internal.reflect',
  'java.base/jdk.internal.math',
  'java.base/jdk.internal.module',
  'java.base/jdk.internal.util.jar',
  'jdk.management/com.sun.management.internal',
  'jdk.compiler/com.sun.tools.javac',
]

/** What Cassandra's own start script gives a Java 17. */
export const moduleFlags: readonly string[] = [
  '-Djdk.attach.allowAttachSelf=true',
  '-Dio.netty.tryReflectionSetAccessible=true',
  ...EXPORTED.flatMap((name) => ['--add-exports', `${name}=ALL-UNNAMED`]),
  ...OPENED.flatMap((name) => ['--add-opens', `${name}=ALL-UNNAMED`]),
]

/**
 * Waiting for a ring that is known to be complete costs half a minute per node. A node that joins others needs some of that
 * delay: it is also how long a node on a busy machine asks for its seed before it gives up.
 */
const fastStart = ({ address, seed }: CassandraSettings): string[] => [
  '-Dcassandra.skip_wait_for_gossip_to_settle=0',
  `-Dcassandra.ring_delay_ms=${address === seed ? 0 : 5_000}`,
  '-Dcassandra.consistent.rangemovement=false',
  '-Dcassandra.superuser_setup_delay_ms=0',
]

const yaml = (it: CassandraSettings): string => `cluster_name: vouchsafe
num_tokens: 16
auto_bootstrap: false
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
listen_address: ${it.address}
rpc_address: ${it.address}
storage_port: ${it.storagePort}
native_transport_port: ${it.cqlPort}
start_native_transport: true
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters:
      - seeds: "${it.seed}:${it.storagePort}"
data_file_directories:
  - ${join(it.folder, 'data')}
commitlog_directory: ${join(it.folder, 'commitlog')}
hints_directory: ${join(it.folder, 'hints')}
saved_caches_directory: ${join(it.folder, 'saved_caches')}
cdc_raw_directory: ${join(it.folder, 'cdc_raw')}
commitlog_sync: ${it.commitLogSync}
${it.commitLogSync === 'periodic' ? 'commitlog_sync_period: 10000ms\n' : ''}${it.logSegmentMegabytes === undefined ? '' : `commitlog_segment_size: ${it.logSegmentMegabytes}MiB\n`}paxos_variant: v2
auto_snapshot: false
${it.answerLimitMs === undefined ? '' : limits(it.answerLimitMs)}${it.security === undefined ? '' : secured(join(it.folder, 'conf'), it.security)}`

/** Contention is given up a little earlier, so that who waits for it hears of that and not of nothing. */
const limits = (ms: number): string => `read_request_timeout: ${ms}ms
range_request_timeout: ${ms}ms
write_request_timeout: ${ms}ms
request_timeout: ${ms}ms
cas_contention_timeout: ${Math.floor(ms / 2)}ms
`

/** Its one user is the one that Cassandra brings. */
const secured = (folder: string, security: ServerSecurity): string => {
  const { keyStore, trustStore } = writeStores(folder, security)
  return `authenticator: PasswordAuthenticator
authorizer: CassandraAuthorizer
client_encryption_options:
  enabled: true
  optional: false
  require_client_auth: true
  ssl_context_factory:
    class_name: org.apache.cassandra.security.PEMBasedSslContextFactory
  keystore: ${keyStore}
  truststore: ${trustStore}
`
}

const LOGBACK = `<configuration>
  <appender name="STDOUT" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%-5level %date{ISO8601} %logger{0} %msg%n</pattern></encoder>
  </appender>
  <root level="INFO"><appender-ref ref="STDOUT"/></root>
</configuration>
`

/** Writes the node's configuration and answers the arguments Java runs it with. */
export const prepareCassandra = (it: CassandraSettings): string[] => {
  const configuration = join(it.folder, 'conf')
  for (const folder of [configuration, join(it.folder, 'tmp')]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(configuration, 'cassandra.yaml'), yaml(it))
  writeFileSync(join(configuration, 'logback.xml'), LOGBACK)
  const agent = it.classPath.find((jar) => /\/jamm-[^/]+\.jar$/.test(jar))
  return [
    ...moduleFlags,
    ...fastStart(it),
    `-javaagent:${agent}`,
    `-Xms${it.heapMegabytes}m`,
    `-Xmx${it.heapMegabytes}m`,
    `-Djava.io.tmpdir=${join(it.folder, 'tmp')}`,
    `-Dcassandra.config=${pathToFileURL(join(configuration, 'cassandra.yaml')).href}`,
    `-Dcassandra.storagedir=${it.folder}`,
    '-Dcassandra-foreground=yes',
    `-Dcassandra.jmx.local.port=${it.jmxPort}`,
    '-cp',
    [configuration, ...it.classPath].join(':'),
    'org.apache.cassandra.service.CassandraDaemon',
  ]
}
