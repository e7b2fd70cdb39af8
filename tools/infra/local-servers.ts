import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from '../../bootstrap/lock.mjs'
import { answersCql } from './cassandra-node.ts'
import { startCassandra } from './cassandra.ts'
import type { Infrastructure, UpOptions } from './infrastructure.ts'
import type { ServerKind } from './jars.ts'
import { answersKafka, startKafka } from './kafka.ts'
import { isRunning, releaseProcess, stopProcess } from './server-process.ts'
import { allRunning, type StartedServer, serversFile } from './servers-file.ts'

/** Cassandra and Kafka from their jars on this machine, in a folder of the clone. */
export const localServers = (folder: string): Infrastructure => {
  const file = serversFile(folder)
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> =>
    withLock(join(folder, 'lock'), work, () =>
      console.error('Another command is at the servers; waiting for it …'),
    )

  const upOne = async (kind: ServerKind, options: UpOptions): Promise<StartedServer[]> => {
    const present = file.of(kind)
    const wanted = kind === 'cassandra' ? options.nodes : 1
    if (allRunning(present) && present.length === wanted) return present
    await Promise.all(present.map((server) => stopProcess(server)))
    const started = kind === 'cassandra' ? await upCassandra(folder, options) : await upKafka(folder, options)
    file.put(kind, started)
    for (const { pid } of started) releaseProcess(pid)
    return started
  }

  return {
    up: (kinds, options) =>
      alone(async () => {
        const begun = await Promise.allSettled(kinds.map((kind) => upOne(kind, options)))
        const failed = begun.find((result) => result.status === 'rejected')
        if (failed) throw failed.reason
        return begun.flatMap((result) =>
          result.status === 'fulfilled' ? result.value.map(({ kind, endpoint }) => ({ kind, endpoint })) : [],
        )
      }),
    down: (kinds, wipe) =>
      alone(async () => {
        for (const kind of kinds) {
          await Promise.all(file.of(kind).map((server) => stopProcess(server)))
          file.put(kind, [])
          if (!wipe) continue
          for (const name of kind === 'kafka' ? ['kafka'] : ['cassandra-1', 'cassandra-2', 'cassandra-3']) {
            rmSync(join(folder, name), { recursive: true, force: true })
          }
        }
      }),
    status: (kinds) => Promise.all(kinds.flatMap((kind) => file.of(kind)).map(statusOf)),
    logs: (kinds, follow) => {
      const files = kinds.flatMap((kind) => file.of(kind)).map(({ logFile }) => logFile)
      if (files.length > 0)
        spawnSync('tail', ['-n', '100', ...(follow ? ['-F'] : []), ...files], { stdio: 'inherit' })
    },
  }
}

const upCassandra = async (folder: string, options: UpOptions): Promise<StartedServer[]> => {
  // A ring of three on the data of one would miss rows: each size has its own data.
  const dataDir = join(folder, `cassandra-${options.nodes}`)
  const { nodes } = await startCassandra({ ...options, dataDir })
  return nodes.map(({ process, contactPoint, logFile }) => ({
    ...process,
    kind: 'cassandra',
    endpoint: contactPoint,
    logFile,
  }))
}

const upKafka = async (folder: string, { kafkaPort }: UpOptions): Promise<StartedServer[]> => {
  const { process, brokers, logFile } = await startKafka({
    dataDir: join(folder, 'kafka'),
    port: kafkaPort,
  })
  return brokers.map((endpoint) => ({ ...process, kind: 'kafka', endpoint, logFile }))
}

const statusOf = async (server: StartedServer) => {
  const { kind, endpoint, pid } = server
  const [host = '', port = ''] = endpoint.split(':')
  const answers = kind === 'cassandra' ? await answersCql(host, Number(port)) : await answersKafka(endpoint)
  const state = answers ? 'healthy' : isRunning(server) ? 'does not answer' : 'ended'
  return {
    kind,
    endpoint,
    state,
    detail: isRunning(server) ? `process ${pid}` : `its log: ${server.logFile}`,
  }
}
