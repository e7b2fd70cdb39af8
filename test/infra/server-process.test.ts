import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  isRunning,
  killProcess,
  releaseProcess,
  type ServerProcess,
  signalProcess,
  startProcess,
  stopProcess,
  untilAnswering,
} from '../../tools/infra/server-process.ts'
import { eventually } from '../eventually.ts'
import { temporaryFolder } from '../temporary-folder.ts'

let folder = ''
let logFile = ''
let started: ServerProcess[] = []

beforeEach(() => {
  folder = temporaryFolder('vouchsafe-process')
  logFile = join(folder, 'server.log')
  started = []
})
afterEach(async () => {
  for (const server of started) await killProcess(server)
})

/** A Node program that stands for a server; its mark is one more argument, as Java's is one more property. */
const start = (program: string): ServerProcess => {
  const mark = `mark=${folder}`
  const server = startProcess(process.execPath, ['-e', program, mark], { folder, logFile, mark })
  started.push(server)
  return server
}

const said = (word: string) => async () => readFileSync(logFile, 'utf8').includes(word)
const what = () => ({ name: 'The server', logFile, limitMs: 10_000 })

describe('a server process', () => {
  it('is stopped in good order', async () => {
    const server = start(
      "process.on('SIGTERM', () => { console.log('bye'); process.exit() }); setInterval(() => {}, 1e3); console.log('up')",
    )
    await untilAnswering(server, what(), said('up'))
    await stopProcess(server)
    expect(isRunning(server)).toBe(false)
    expect(readFileSync(logFile, 'utf8')).toBe('up\nbye\n')
  })

  it('that does not listen is ended by force, even when it is frozen', async () => {
    const server = start("process.on('SIGTERM', () => {}); setInterval(() => {}, 1e3); console.log('up')")
    await untilAnswering(server, what(), said('up'))
    signalProcess(server, 'SIGSTOP')
    await stopProcess(server, 300)
    expect(isRunning(server)).toBe(false)
  })

  it('that ends while it starts is reported with its own last words', async () => {
    const server = start("console.error('ERROR the disk is on fire'); process.exit(1)")
    await expect(untilAnswering(server, what(), async () => false)).rejects.toThrow(
      `The server ended while it started: ERROR the disk is on fire (the whole log: ${logFile})`,
    )
  })

  it('that never answers is given up after the limit', async () => {
    const server = start('setInterval(() => {}, 1e3)')
    await expect(untilAnswering(server, { ...what(), limitMs: 200 }, async () => false)).rejects.toThrow(
      `The server did not answer within 0.2 s: look into ${logFile}.`,
    )
  })

  it("is never mistaken for a stranger's that has its id now", async () => {
    const stranger = { pid: process.pid, mark: `mark=${folder}` }
    expect(isRunning(stranger)).toBe(false)
    await stopProcess(stranger)
    await killProcess(stranger)
  })
})

/** Runs a starter of its own that starts a server, says its id and is then killed without a chance to clean up. */
const startAndDie = async (more: string): Promise<ServerProcess> => {
  const mark = `mark=${folder}`
  const script = join(folder, 'starter.ts')
  const module = fileURLToPath(new URL('../../tools/infra/server-process.ts', import.meta.url))
  writeFileSync(
    script,
    `import { releaseProcess, startProcess } from ${JSON.stringify(module)}
const facts = ${JSON.stringify({ folder, logFile, mark })}
const { pid } = startProcess(process.execPath, ['-e', 'setInterval(() => {}, 1e3)', facts.mark], facts)
${more}
console.log(pid)
setInterval(() => {}, 1_000)`,
  )
  const starter = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'ignore'] })
  const pid = await new Promise<number>((resolve) =>
    starter.stdout.once('data', (line) => resolve(Number(line))),
  )
  const server = { pid, mark }
  started.push(server)
  starter.kill('SIGKILL')
  await new Promise((resolve) => starter.once('exit', resolve))
  return server
}

describe('a server whose starter was killed', () => {
  it('ends too', async () => {
    const server = await startAndDie('')
    await eventually(() => expect(isRunning(server)).toBe(false))
  })

  it('stays when it was released', async () => {
    const server = await startAndDie(`${releaseProcess.name}(pid)`)
    expect(isRunning(server)).toBe(true)
  })
})
