import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE_FLAGS } from '../../bootstrap/node-flags.mjs'
import {
  isRunning,
  killProcess,
  releaseProcess,
  type ServerProcess,
  signalProcess,
  startProcess,
  stopProcess,
  untilAnswering,
} from '../infra/server-process.ts'
import { paths } from './layout.ts'
import type { Settings } from './settings.ts'
import { environmentOf } from './settings.ts'

type Started = Readonly<Record<string, ServerProcess>>

export type Program = {
  /** Its folder in the cluster's, and the name by which commands mean it. */
  readonly name: string
  /** The script and its arguments, from the root of the repository. */
  readonly command: readonly [string, ...string[]]
  readonly settings: readonly Settings[]
  readonly isReady: () => Promise<boolean>
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const READY_LIMIT_MS = 300_000
/** More than a node may take to finish what it has begun. */
const STOP_LIMIT_MS = 60_000

/** The programs of a cluster, each in a folder of its own; which of them run is a file, because each command is a process. */
export const processesOf = (folder: string) => {
  const { processes: file } = paths(folder)
  const read = (): Started => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Started) : {})
  const change = (name: string, process: ServerProcess | null): void => {
    const { [name]: _, ...others } = read()
    const next = process === null ? others : { ...others, [name]: process }
    // Moved into its place whole, so that a killed command leaves no half of it.
    writeFileSync(`${file}.part`, JSON.stringify(next, null, 2))
    renameSync(`${file}.part`, file)
  }
  const running = (name: string): ServerProcess | null => {
    const process = read()[name]
    return process !== undefined && isRunning(process) ? process : null
  }
  const logFile = (name: string): string => join(folder, name, `${name}.log`)
  return {
    names: (): readonly string[] => Object.keys(read()),
    running,
    logFile,
    /** Does nothing where it runs already. Ready when this resolves. */
    start: async ({ name, command: [script, ...more], settings, isReady }: Program): Promise<void> => {
      const home = join(folder, name)
      mkdirSync(home, { recursive: true, mode: 0o700 })
      const answering = { name, logFile: logFile(name), limitMs: READY_LIMIT_MS }
      const present = running(name)
      if (present !== null) return untilAnswering(present, answering, isReady)
      const mark = `vouchsafe.cluster=${home}`
      const words = [...NODE_FLAGS, resolve(root, script), ...more, mark]
      const env = environmentOf(...settings)
      const started = startProcess(process.execPath, words, { ...answering, folder: home, mark, env })
      change(name, started)
      await untilAnswering(started, answering, isReady)
      releaseProcess(started.pid)
    },
    signal: (name: string, signal: NodeJS.Signals): void => {
      const process = running(name)
      if (process !== null) signalProcess(process, signal)
    },
    /** Lets it end in good order. */
    stop: async (name: string): Promise<void> => {
      const process = running(name)
      if (process !== null) await stopProcess(process, STOP_LIMIT_MS)
      change(name, null)
    },
    kill: async (name: string): Promise<void> => {
      const process = running(name)
      if (process !== null) await killProcess(process)
      change(name, null)
    },
  }
}
