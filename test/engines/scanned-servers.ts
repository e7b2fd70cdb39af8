import { join } from 'node:path'
import { startCassandra } from '../../tools/infra/cassandra.ts'
import type { CassandraSettings } from '../../tools/infra/cassandra-settings.ts'
import { startKafka } from '../../tools/infra/kafka.ts'
import { LOG_SEGMENT_MEGABYTES } from '../../tools/scan/cassandra.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** Servers whose files are looked through. */
export type ScannedServers = {
  /** All of their files. */
  readonly folder: string
  readonly node: CassandraSettings
  readonly contactPoints: readonly string[]
  readonly localDatacenter: string
  readonly brokers: readonly string[]
}

/** Apart from those of the other suites, which write so much that looking through it would take minutes. */
export const startScannedServers = async () => {
  const folder = temporaryFolder('scanned-servers')
  const cassandra = await startCassandra({
    dataDir: join(folder, 'cassandra'),
    commitLogSync: 'periodic',
    logSegmentMegabytes: LOG_SEGMENT_MEGABYTES,
  })
  const [node] = cassandra.nodes
  if (node === undefined) throw new Error('Cassandra has no node')
  const kafka = await startKafka({ dataDir: join(folder, 'kafka') })
  const { contactPoints, localDatacenter } = cassandra
  const address: ScannedServers = {
    folder,
    node: node.settings,
    contactPoints,
    localDatacenter,
    brokers: kafka.brokers,
  }
  const stop = async (): Promise<void> => {
    await kafka.stop()
    await cassandra.stop()
  }
  return { address, node, stop }
}
