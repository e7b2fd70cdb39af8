import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Program = {
  readonly command: readonly string[]
  readonly timeoutMs: number
  /** Where it runs; the root of the repository unless told. */
  readonly folder?: string
  /** Show its output while it runs instead of keeping it for the report. */
  readonly live?: boolean
}

export type Outcome = {
  readonly ok: boolean
  /** Null when it did not end by itself. */
  readonly code: number | null
  readonly output: string
  readonly seconds: number
}

const root = fileURLToPath(new URL('../../', import.meta.url))

const pipesMs = 10_000

const running = new Set<number>()

/** A program of the repository, in a process group of its own: when it takes too long, everything it started ends too. */
export async function runProgram(program: Program): Promise<Outcome> {
  const [name = '', ...args] = program.command
  const startedAt = performance.now()
  const child = spawn(name, args, {
    cwd: program.folder ?? root,
    env: environment(),
    detached: true,
    stdio: ['ignore', program.live ? 'inherit' : 'pipe', program.live ? 'inherit' : 'pipe'],
  })
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  if (child.pid !== undefined) running.add(child.pid)
  let ending = ''
  const timer = setTimeout(() => {
    ending = `${name} was ended after ${program.timeoutMs / 1_000} s: something in it hangs.`
    endGroup(child.pid)
  }, program.timeoutMs)
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      ending = `${name} could not be started: ${error.message}`
      resolve(null)
    })
    child.on('close', resolve)
    // A daemon that it left behind may hold the pipes open for ever.
    child.on('exit', (status) => setTimeout(resolve, pipesMs, status).unref())
  })
  clearTimeout(timer)
  if (child.pid !== undefined) running.delete(child.pid)
  const output = [Buffer.concat(chunks).toString().trimEnd(), ending].filter(Boolean).join('\n')
  return {
    ok: code === 0 && ending === '',
    code: ending === '' ? code : null,
    output,
    seconds: (performance.now() - startedAt) / 1_000,
  }
}

/** Ctrl-C reaches only the gate itself, because its programs are in groups of their own. */
export function endProgramsOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      for (const pid of running) endGroup(pid)
      process.exit(130)
    })
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is gone already.
  }
}

function environment(): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), `${root}node_modules/.bin`, process.env['PATH'] ?? ''].join(
    delimiter,
  )
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }
  return { ...process.env, ...color, PATH: path }
}
