// The service as `npm start` runs it, from the start of its process to its first answer that it is well.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../tools/infra/ports.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const LOOK_EVERY_MS = 5
const START_LIMIT_MS = 120_000

/** Ended by a kill, so that the next start finds what that leaves. */
export async function measureServiceStart(folder: string): Promise<{ readonly readyMs: number }> {
  const port = await freePort()
  const startedMs = performance.now()
  // A group of its own: the bootstrap runs the service in a process below it.
  const child = spawn(process.execPath, ['bootstrap/run.mjs', 'src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      VOUCHSAFE_PRIVATE_PORT: '0',
      VOUCHSAFE_DATA_FOLDER: folder,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2_000)
  })
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null || performance.now() - startedMs > START_LIMIT_MS)
        throw new Error(`the service did not start: ${said}`)
      await pause(LOOK_EVERY_MS)
    }
    return { readyMs: performance.now() - startedMs }
  } finally {
    await endGroup(child)
  }
}

const isReady = async (port: number): Promise<boolean> => {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/health`, { headers: { connection: 'close' } })
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false
  }
}

const endGroup = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined) return
  const ended = once(child, 'close')
  process.kill(-child.pid, 'SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await ended
}
