import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { startCassandra } from '../../tools/infra/cassandra.ts'
import { startKafka } from '../../tools/infra/kafka.ts'
import { against } from '../e2e/against.ts'
import { removeTemporaryFolders } from '../temporary-folder.ts'
import { ENGINES_OF } from './engines-of.ts'
import type { CassandraAddress, KafkaAddress } from './engines.ts'
import { startScannedServers } from './scanned-servers.ts'
import { startSharedCluster } from './shared-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where `engines.ts` asks for a running engine. */
    engines: string
  }
}

type Started = { readonly address: unknown; stop(): Promise<void> }
type Starter = (address: (name: string) => Promise<unknown>) => Promise<Started>

const starters: Readonly<Record<string, Starter>> = {
  '/cassandra': async () => {
    const cassandra = await startCassandra()
    const { contactPoints, localDatacenter } = cassandra
    return { address: { contactPoints, localDatacenter }, stop: () => cassandra.stop() }
  },
  '/kafka': async () => {
    const kafka = await startKafka()
    return { address: { brokers: kafka.brokers }, stop: () => kafka.stop() }
  },
  '/scanned': startScannedServers,
  '/cluster': async (address) => {
    const [cassandra, kafka] = await Promise.all([address('/cassandra'), address('/kafka')])
    return startSharedCluster(cassandra as CassandraAddress, kafka as KafkaAddress)
  },
}

/** One Cassandra, one Kafka, one of either to look through, and one cluster of nodes for all suites of a run, each started when the first asks for it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const others = process.env[ENGINES_OF]
  if (others !== undefined) {
    // A run within a test of another run.
    project.provide('engines', others)
    return () => Promise.resolve()
  }
  const started = new Map<string, Promise<Started>>()
  const start = (name: string, starter: Starter): Promise<Started> => {
    const engine = started.get(name) ?? starter(addressOf)
    started.set(name, engine)
    return engine
  }
  const addressOf = async (name: string): Promise<unknown> => {
    const starter = starters[name]
    if (starter === undefined) throw new Error(`there is no engine ${name}`)
    return (await start(name, starter)).address
  }
  const server = createServer((request, response) => {
    const name = request.url ?? ''
    if (starters[name] === undefined) return void response.writeHead(404).end()
    addressOf(name).then(
      (address) => response.end(JSON.stringify(address)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // No limit of a test is spent on it.
  if (against !== null) await addressOf('/cluster')
  project.provide('engines', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    server.closeAllConnections()
    // The cluster uses the others, which were there before it.
    for (const engine of [...started.values()].toReversed()) await stopEngine(engine)
    removeTemporaryFolders()
  }
}

async function stopEngine(starting: Promise<Started>): Promise<void> {
  const engine = await starting.catch(() => null)
  await engine?.stop()
}
