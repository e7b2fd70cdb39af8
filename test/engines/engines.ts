// Real engines for the slow suites. They are shared by all suites of a run and outlive each of them: a suite makes a
// keyspace and topics of its own. A test that kills or freezes an engine starts its own by tools/infra/.
import { inject } from 'vitest'
import type { ScannedServers } from './scanned-servers.ts'
import type { ClusterAddress } from './shared-cluster.ts'

export type CassandraAddress = { readonly contactPoints: readonly string[]; readonly localDatacenter: string }

export type KafkaAddress = { readonly brokers: readonly string[] }

export const cassandra = (): Promise<CassandraAddress> => ask('cassandra') as Promise<CassandraAddress>

export const sharedCluster = (): Promise<ClusterAddress> => ask('cluster') as Promise<ClusterAddress>

export const kafka = (): Promise<KafkaAddress> => ask('kafka') as Promise<KafkaAddress>

/** For suites that look through all files; those that stop them start their own. */
export const scannedServers = (): Promise<ScannedServers> => ask('scanned') as Promise<ScannedServers>

async function ask(engine: 'cassandra' | 'kafka' | 'cluster' | 'scanned'): Promise<unknown> {
  const response = await fetch(`${inject('engines')}/${engine}`)
  const text = await response.text()
  if (!response.ok) throw new Error(`${engine} could not be started: ${text}`)
  return JSON.parse(text)
}
