import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { startCassandra } from '../../tools/infra/cassandra.ts'
import { startKafka } from '../../tools/infra/kafka.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where `engines.ts` asks for a running engine. */
    engines: string
  }
}

type Started = { readonly address: unknown; stop(): Promise<void> }

const starters: Readonly<Record<string, () => Promise<Started>>> = {
  '/cassandra': async () => {
    const cassandra = await startCassandra()
    const { contactPoints, localDatacenter } = cassandra
    return { address: { contactPoints, localDatacenter }, stop: () => cassandra.stop() }
  },
  '/kafka': async () => {
    const kafka = await startKafka()
    return { address: { brokers: kafka.brokers }, stop: () => kafka.stop() }
  },
}

/** One Cassandra and one Kafka for all suites of a run, each started when the first suite asks for it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started = new Map<string, Promise<Started>>()
  const server = createServer((request, response) => {
    const name = request.url ?? ''
    const starter = starters[name]
    if (!starter) return void response.writeHead(404).end()
    const engine = started.get(name) ?? starter()
    started.set(name, engine)
    engine.then(
      ({ address }) => response.end(JSON.stringify(address)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  project.provide('engines', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    server.closeAllConnections()
    await Promise.all([...started.values()].map(stopEngine))
  }
}

async function stopEngine(starting: Promise<Started>): Promise<void> {
  const engine = await starting.catch(() => null)
  await engine?.stop()
}
