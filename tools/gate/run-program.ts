import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { delimiter, dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Child } from '../harness/child.ts'
import { endSurvivors } from '../harness/survivors.ts'

export type Program = {
  readonly command: readonly string[]
  readonly timeoutMs: number
  /** Where it runs; otherwise the root of the repository. */
  readonly folder?: string | undefined
  /** Variables beside those of this process. */
  readonly environment?: Readonly<Record<string, string>>
  /** Show its output while it runs instead of keeping it for the report. */
  readonly live?: boolean
}

export type Outcome = {
  readonly ok: boolean
  /** Null when it did not end by itself. */
  readonly code: number | null
  readonly output: string
  readonly seconds: number
  /** Command lines of processes that it has left behind. They are ended. */
  readonly survivors: readonly string[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))

const pipesMs = 10_000

/** A program of the repository, in a process group of its own: when it takes too long, everything it started ends too. */
export async function runProgram(program: Program): Promise<Outcome> {
  const [name = '', ...args] = program.command
  const startedAt = performance.now()
  const mark = `STARTED_BY_GATE_${randomUUID()}=1`
  const output = program.live ? 'inherit' : 'pipe'
  const spawned = spawn(name, args, {
    cwd: program.folder ?? root,
    env: { ...environment(), ...program.environment, [mark.slice(0, -2)]: '1' },
    detached: true,
    stdio: ['ignore', output, output],
  })
  const child = new Child(spawned, true)
  const chunks: Buffer[] = []
  spawned.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  spawned.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  let ending = ''
  const timer = setTimeout(() => {
    ending = `${name} was ended after ${program.timeoutMs / 1_000} s: something in it hangs.`
    child.kill()
  }, program.timeoutMs)
  spawned.once('error', (error) => {
    ending = `${name} could not be started: ${error.message}`
  })
  const closed = new Promise((resolve) => spawned.once('close', resolve))
  const { code } = await child.ended
  clearTimeout(timer)
  // A process that it left behind may hold the pipes open for as long as it runs.
  if (spawned.pid !== undefined) await Promise.race([closed, pause(pipesMs, undefined, { ref: false })])
  const seconds = (performance.now() - startedAt) / 1_000
  return {
    ok: code === 0 && ending === '',
    code: ending === '' ? code : null,
    output: [Buffer.concat(chunks).toString().trimEnd(), ending].filter(Boolean).join('\n'),
    seconds,
    survivors: spawned.pid === undefined ? [] : await endSurvivors({ session: spawned.pid, mark }),
  }
}

/** Ctrl-C reaches only the gate itself, because its programs are in groups of their own, which end with it. */
export function endProgramsOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(130))
  }
}

function environment(): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), `${root}node_modules/.bin`, process.env['PATH'] ?? ''].join(
    delimiter,
  )
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }
  return { ...process.env, ...color, PATH: path }
}
