import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { causeOf, Failure } from '../../bootstrap/failure.mjs'
import type { ServerKind } from './jars.ts'
import { isRunning, type ServerProcess } from './server-process.ts'

export type StartedServer = ServerProcess & {
  readonly kind: ServerKind
  /** Where it answers, as host:port. */
  readonly endpoint: string
  readonly logFile: string
}

/** The servers `up` started and `down` has not ended, kept as a file because each command is a process of its own. */
export const serversFile = (folder: string) => {
  const file = join(folder, 'servers.json')
  const read = (): StartedServer[] => {
    try {
      const servers: unknown = JSON.parse(readFileSync(file, 'utf8'))
      if (Array.isArray(servers) && servers.every(isStarted)) return servers
      throw new SyntaxError('it holds no list of servers')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      if (!(error instanceof SyntaxError)) throw new Failure(`${file} cannot be read: ${causeOf(error)}.`)
      // Only this file says which processes are ours; a person still finds them by their command lines.
      throw new Failure(
        `${file} is damaged, so it is not known which servers were started: end those that pgrep -fl vouchsafe.infra= names, remove the file and start again; the data stays.`,
      )
    }
  }
  const write = (servers: readonly StartedServer[]): void => {
    mkdirSync(folder, { recursive: true })
    if (servers.length === 0) return rmSync(file, { force: true })
    // Moved into its place whole, so that a killed command leaves no half of it.
    writeFileSync(`${file}.part`, JSON.stringify(servers, null, 2))
    renameSync(`${file}.part`, file)
  }
  return {
    of: (kind: ServerKind): StartedServer[] => read().filter((server) => server.kind === kind),
    put: (kind: ServerKind, servers: readonly StartedServer[]): void =>
      write([...read().filter((server) => server.kind !== kind), ...servers]),
  }
}

const isStarted = (server: unknown): server is StartedServer => {
  const { kind, pid, mark, endpoint, logFile } = (server ?? {}) as Partial<StartedServer>
  return Number.isInteger(pid) && [kind, mark, endpoint, logFile].every((text) => typeof text === 'string')
}

export const allRunning = (servers: readonly StartedServer[]): boolean =>
  servers.length > 0 && servers.every(isRunning)
