import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
      return JSON.parse(readFileSync(file, 'utf8')) as StartedServer[]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }
  const write = (servers: readonly StartedServer[]): void => {
    mkdirSync(folder, { recursive: true })
    if (servers.length === 0) rmSync(file, { force: true })
    else writeFileSync(file, JSON.stringify(servers, null, 2))
  }
  return {
    of: (kind: ServerKind): StartedServer[] => read().filter((server) => server.kind === kind),
    put: (kind: ServerKind, servers: readonly StartedServer[]): void =>
      write([...read().filter((server) => server.kind !== kind), ...servers]),
  }
}

export const allRunning = (servers: readonly StartedServer[]): boolean =>
  servers.length > 0 && servers.every(isRunning)
