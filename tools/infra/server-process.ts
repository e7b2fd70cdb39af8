import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Failure } from '../../bootstrap/failure.mjs'
import { untilFound } from '../harness/waiting.ts'
import type { ServerKind } from './jars.ts'

const STOP_LIMIT_MS = 20_000
const POLL_MS = 100

export type ServerProcess = {
  readonly pid: number
  /** A word in its command line that only this process has: another process may have the same id by now. */
  readonly mark: string
}

/** Runs a server in a session of its own, so that Ctrl-C ends its starter, which decides what becomes of the server. */
export const startProcess = (
  command: string,
  commandArguments: readonly string[],
  options: {
    readonly folder: string
    readonly logFile: string
    readonly mark: string
    /** Instead of the starter's own. */
    readonly env?: NodeJS.ProcessEnv
  },
): ServerProcess => {
  const log = openSync(options.logFile, 'a')
  const child = spawn(command, commandArguments, {
    cwd: options.folder,
    ...(options.env && { env: options.env }),
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.once('error', () => {})
  if (child.pid === undefined) throw new Failure(`${command} could not be started: check that it may be run.`)
  guard(child, child.pid)
  child.unref()
  return { pid: child.pid, mark: options.mark }
}

const watchers = new Map<number, ChildProcess>()

/** Ends the server when its starter is gone without having stopped it: the pipe closes with the starter's life. */
const guard = (server: ChildProcess, pid: number): void => {
  const watcher = spawn('/bin/sh', ['-c', `cat >/dev/null; kill -9 ${pid} 2>/dev/null`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  if (watcher.stdin instanceof Socket) watcher.stdin.unref()
  watchers.set(pid, watcher)
  server.once('exit', () => releaseProcess(pid))
}

/** From here on the server outlives its starter. */
export const releaseProcess = (pid: number): void => {
  watchers.get(pid)?.kill('SIGKILL')
  watchers.delete(pid)
}

/** What the system says the process was started with; empty when there is none, or only its remains. */
const commandLine = (pid: number): string => {
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return ''
  }
}

export const isRunning = ({ pid, mark }: ServerProcess): boolean => commandLine(pid).includes(mark)

export const signalProcess = (server: ServerProcess, signal: NodeJS.Signals): void => {
  if (isRunning(server)) process.kill(server.pid, signal)
}

const untilEnded = (server: ServerProcess, limitMs: number): Promise<true> => {
  const otherwise = () => new Error(`process ${server.pid} does not end`)
  return untilFound(() => !isRunning(server), { limitMs, everyMs: POLL_MS, otherwise })
}

/** Lets the server end in good order, and ends it by force when that takes too long. A frozen process is thawed first. */
export const stopProcess = async (server: ServerProcess, limitMs = STOP_LIMIT_MS): Promise<void> => {
  signalProcess(server, 'SIGCONT')
  signalProcess(server, 'SIGTERM')
  await untilEnded(server, limitMs).catch(() => killProcess(server))
}

export const killProcess = async (server: ServerProcess): Promise<void> => {
  signalProcess(server, 'SIGKILL')
  await untilEnded(server, STOP_LIMIT_MS)
}

type Manner = {
  readonly name: string
  /** Where it answers, as host:port. */
  readonly endpoint: string
  readonly folder: string
  readonly logName: string
  readonly limitMs: number
  /** A command and its arguments, on the data that is there. */
  readonly launch: () => readonly string[]
  readonly answers: () => Promise<boolean>
}

/** Waits until the server answers; a server that ended meanwhile is reported with the last words of its log. */
export const untilAnswering = async (
  server: ServerProcess,
  { name, logFile, limitMs }: Pick<Manner, 'name' | 'limitMs'> & { readonly logFile: string },
  answers: () => Promise<boolean>,
): Promise<void> => {
  const look = async (): Promise<boolean> => {
    if (await answers().catch(() => false)) return true
    if (isRunning(server)) return false
    throw new Failure(`${name} ended while it started: ${lastWords(logFile)}`)
  }
  const otherwise = () =>
    new Failure(`${name} did not answer within ${limitMs / 1_000} s: look into ${logFile}.`)
  await untilFound(look, { limitMs, everyMs: POLL_MS, otherwise })
}

const lastWords = (logFile: string): string => {
  const lines = readFileSync(logFile, 'utf8').trim().split('\n')
  const telling = lines.findLast((line) => /exception|error|fatal/i.test(line) && !/^\s+at /.test(line))
  return `${(telling ?? lines.at(-1) ?? '').trim().slice(0, 300)} (the whole log: ${logFile})`
}

/** A server on a folder of its own, which can be killed and started again on its data. */
export class Server {
  readonly endpoint: string
  readonly logFile: string
  readonly #manner: Manner
  readonly #mark: string
  #process: ServerProcess | undefined

  constructor(manner: Manner) {
    this.#manner = manner
    this.endpoint = manner.endpoint
    this.logFile = join(manner.folder, manner.logName)
    this.#mark = `vouchsafe.infra=${manner.folder}`
  }

  get process(): ServerProcess {
    if (this.#process === undefined) throw new Error(`${this.#manner.name} was not started`)
    return this.#process
  }

  isRunning(): boolean {
    return this.#process !== undefined && isRunning(this.#process)
  }

  /** Starts the server on the data it has and waits until it answers. */
  async start(): Promise<void> {
    const { name, folder, limitMs, launch, answers } = this.#manner
    const { logFile } = this
    mkdirSync(folder, { recursive: true })
    const [command = '', ...words] = launch()
    const mark = this.#mark
    this.#process = startProcess(command, [`-D${mark}`, ...words], { folder, logFile, mark })
    await untilAnswering(this.#process, { name, logFile, limitMs }, answers)
  }

  async stop(): Promise<void> {
    if (this.#process) await stopProcess(this.#process)
  }

  /** Works like a power cut: what was not synced to disk is lost. */
  async kill(): Promise<void> {
    if (this.#process) await killProcess(this.#process)
  }

  /** Works like a long pause: the server answers no call, and keeps its connections open. */
  freeze(): void {
    signalProcess(this.process, 'SIGSTOP')
  }

  thaw(): void {
    signalProcess(this.process, 'SIGCONT')
  }
}

/** Servers on the folder that is named and kept, or on a temporary one, which goes with them. */
export const startServers = async <Node extends Server>(
  kind: ServerKind,
  dataDir: string | undefined,
  make: (folder: string) => Promise<readonly Node[]>,
  /** Waits for what they are together. */
  untilReady: (nodes: readonly Node[]) => Promise<void> = () => Promise.resolve(),
) => {
  const folder = resolve(dataDir ?? mkdtempSync(join(tmpdir(), `vouchsafe-${kind}-`)))
  const nodes = await make(folder)
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()))
    if (dataDir === undefined) rmSync(folder, { recursive: true, force: true })
  }
  try {
    // One after the other: a node of Cassandra takes its tokens from a ring that already knows those before it.
    for (const node of nodes) await node.start()
    await untilReady(nodes)
  } catch (error) {
    await stop()
    throw error
  }
  return { nodes, stop, [Symbol.asyncDispose]: stop }
}
