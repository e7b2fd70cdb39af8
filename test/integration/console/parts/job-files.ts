import { atLength } from '../../../at-length.ts'
import { runProgram } from '../../../../tools/gate/run-program.ts'

/** What a person does in the console, from the invitation to the result; the other files try to break it. */
const JOBS = [
  'first-credential',
  'getting-in',
  'live',
  'many-offers',
  'operating',
  'passkeys',
  'people',
  'roles',
  'session',
  'setting-up',
  'watching',
] as const

type Job = (typeof JOBS)[number]

/** Runs jobs once more, somewhere else than where they run by themselves: those that such a place could change, or all at length. */
export const runJobs = (
  changeable: readonly Job[],
  environment: Readonly<Record<string, string>>,
  timeoutMs: number,
) => {
  const files = atLength(changeable, JOBS).map((job) => `test/integration/console/${job}.test.ts`)
  return runProgram({
    command: ['vitest', 'run', ...files, '--maxWorkers=1', '--silent=passed-only'],
    environment,
    timeoutMs,
  })
}
