import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from '../../bootstrap/lock.mjs'
import { answersCql } from './cassandra-node.ts'
import { startCassandra } from './cassandra.ts'
import type { Infrastructure, UpOptions } from './infrastructure.ts'
import type { ServerKind } from './jars.ts'
import { answersKafka, startKafka } from './kafka.ts'
import { isRunning, releaseProcess, type Server, stopProcess } from './server-process.ts'
import { allRunning, type StartedServer, serversFile } from './servers-file.ts'

type Nodes = { readonly nodes: readonly Server[] }

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
    const { nodes } = await starters[kind](folder, options)
    const started = nodes.map(({ process, endpoint, logFile }) => ({ ...process, kind, endpoint, logFile }))
    file.put(kind, started)
    for (const { pid } of started) releaseProcess(pid)
    return started
  }

  return {
    up: (kinds, options) =>
      alone(async () => {
        const begun = kinds.map((kind) => upOne(kind, options))
        // The lock is kept until the last of them has started or failed.
        await Promise.allSettled(begun)
        return (await Promise.all(begun)).flat().map(({ kind, endpoint }) => ({ kind, endpoint }))
      }),
    down: (kinds, wipe) =>
      alone(async () => {
        for (const kind of kinds) {
          await Promise.all(file.of(kind).map((server) => stopProcess(server)))
          file.put(kind, [])
          if (!wipe) continue
          for (const name of kind === 'kafka' ? ['kafka'] : ['cassandra-1', 'cassandra-2', 'cassandra-3'])
            rmSync(join(folder, name), { recursive: true, force: true })
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

const starters: Readonly<Record<ServerKind, (folder: string, options: UpOptions) => Promise<Nodes>>> = {
  // A ring of three on the data of one would miss rows: each size has its own data.
  cassandra: (folder, options) =>
    startCassandra({ ...options, dataDir: join(folder, `cassandra-${options.nodes}`) }),
  kafka: (folder, { kafkaPort }) => startKafka({ dataDir: join(folder, 'kafka'), port: kafkaPort }),
}

const statusOf = async (server: StartedServer) => {
  const { kind, endpoint, pid } = server
  const answers = await (kind === 'cassandra' ? answersCql(endpoint) : answersKafka(endpoint))
  const state = answers ? 'healthy' : isRunning(server) ? 'does not answer' : 'ended'
  const detail = isRunning(server) ? `process ${pid}` : `its log: ${server.logFile}`
  return { kind, endpoint, state, detail }
}
