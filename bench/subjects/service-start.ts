// The service as `npm start` runs it, from the start of its process to its first answer that it is well.
import { reservePorts } from '../../src/ledger/sandbox/reserved-ports.ts'
import { Program } from '../../tools/harness/program.ts'
import { untilFound } from '../../tools/harness/waiting.ts'

const LOOK_EVERY_MS = 5
const START_LIMIT_MS = 120_000

/** Ended by a kill, so that the next start finds what that leaves. */
export async function measureServiceStart(folder: string): Promise<{ readonly readyMs: number }> {
  const port = await reservePorts(1)
  const startedMs = performance.now()
  // A group of its own: the bootstrap runs the service in a process below it.
  const program = new Program(['bootstrap/run.mjs', 'src/main.ts'], {
    env: {
      ...process.env,
      PORT: String(port),
      VOUCHSAFE_PRIVATE_PORT: '0',
      VOUCHSAFE_DATA_FOLDER: folder,
    },
    isGroup: true,
  })
  try {
    const otherwise = () => new Error(`the service did not start: ${program.shown}`)
    const look = async () => {
      if (!program.isRunning) throw otherwise()
      return isReady(port)
    }
    await untilFound(look, { limitMs: START_LIMIT_MS, everyMs: LOOK_EVERY_MS, otherwise })
    return { readyMs: performance.now() - startedMs }
  } finally {
    program.kill()
    await program.finished
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
