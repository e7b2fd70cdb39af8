import { runProgram } from '../../../../tools/gate/run-program.ts'

/** What a person does in the console, from the invitation to the result; the other files try to break it. */
const JOB_FILES: readonly string[] = [
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
].map((name) => `test/integration/console/${name}.test.ts`)

/** Runs them once more, somewhere else than where they run by themselves. */
export const runJobs = (environment: Readonly<Record<string, string>>, timeoutMs: number) =>
  runProgram({
    command: ['vitest', 'run', ...JOB_FILES, '--maxWorkers=1', '--silent=passed-only'],
    environment,
    timeoutMs,
  })
