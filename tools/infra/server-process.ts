import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '../../bootstrap/failure.mjs'

const STOP_LIMIT_MS = 20_000
const POLL_MS = 100

export type ServerProcess = {
  readonly pid: number
  /** A word in its command line that only this process has: a process id alone may belong to somebody else by now. */
  readonly mark: string
}

/** Runs a server in a session of its own, so that Ctrl-C ends whoever started it and leaves the decision about it to them. */
export const startProcess = (
  command: string,
  commandArguments: readonly string[],
  options: {
    readonly folder: string
    readonly logFile: string
    readonly mark: string
  },
): ServerProcess => {
  const log = openSync(options.logFile, 'a')
  const child = spawn(command, commandArguments, {
    cwd: options.folder,
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

const ended = async (server: ServerProcess, limitMs: number): Promise<boolean> => {
  const until = performance.now() + limitMs
  while (isRunning(server)) {
    if (performance.now() > until) return false
    await pause(POLL_MS)
  }
  return true
}

/** In good order, and by force when that takes too long. A frozen process hears nothing but force. */
export const stopProcess = async (server: ServerProcess, limitMs = STOP_LIMIT_MS): Promise<void> => {
  signalProcess(server, 'SIGCONT')
  signalProcess(server, 'SIGTERM')
  if (await ended(server, limitMs)) return
  await killProcess(server)
}

export const killProcess = async (server: ServerProcess): Promise<void> => {
  signalProcess(server, 'SIGKILL')
  if (!(await ended(server, STOP_LIMIT_MS))) throw new Error(`process ${server.pid} survives SIGKILL`)
}

/** Waits until the server answers; a server that ended meanwhile is reported with the last words of its log. */
export const untilAnswering = async (
  server: ServerProcess,
  what: { readonly name: string; readonly logFile: string; readonly limitMs: number },
  answers: () => Promise<boolean>,
): Promise<void> => {
  const until = performance.now() + what.limitMs
  while (!(await answers().catch(() => false))) {
    if (!isRunning(server))
      throw new Failure(`${what.name} ended while it started: ${lastWords(what.logFile)}`)
    if (performance.now() > until) {
      throw new Failure(
        `${what.name} did not answer within ${what.limitMs / 1_000} s: look into ${what.logFile}.`,
      )
    }
    await pause(POLL_MS)
  }
}

const lastWords = (logFile: string): string => {
  const lines = readFileSync(logFile, 'utf8').trim().split('\n')
  const telling = lines.findLast((line) => /exception|error|fatal/i.test(line) && !/^\s+at /.test(line))
  return `${(telling ?? lines.at(-1) ?? '').trim().slice(0, 300)} (the whole log: ${logFile})`
}
