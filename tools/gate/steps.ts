import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Program, runProgram } from './run-program.ts'
import { secondLook, type TestRun } from './second-look.ts'
import { openSurroundings } from './surroundings.ts'
import { emptyTally, type Tally, tallyOfReport, type VitestReport, withFailures } from './tally.ts'
import { unmatched } from './unmatched.ts'

export type StepResult = {
  readonly name: string
  readonly ok: boolean
  readonly seconds: number
  readonly output: string
  readonly tally: Tally
}

export type Step = { readonly name: string; run(): Promise<StepResult> }

const checkTimeoutMs = 300_000
const unitTimeoutMs = 15 * 60_000
const slowTimeoutMs = 60 * 60_000
/** One more than most machines have processors for, because much of these suites is waiting. */
const SLOW_LANES = 3

/** The cheap checks, the longest first, so that two at a time end soonest; of another copy of the repository where a folder is given. */
export const checksIn = (folder?: string): readonly Step[] => [
  check('dead code', ['knip', '--no-progress', '--no-config-hints'], {
    folder,
    mend: 'Take away what nothing uses: the export keyword, the file or the dependency.',
  }),
  tests('tidy', ['--project=tidy'], { timeoutMs: checkTimeoutMs, folder }),
  check('description', ['node', '--disable-warning=ExperimentalWarning', 'tools/lint-api.ts'], { folder }),
  check('types', ['tsc', '--noEmit', '--project', '.'], { folder }),
  check('types of the console', ['tsc', '--project', 'console'], { folder }),
  check('lint', ['oxlint', '--type-aware', '--deny-warnings', '--format=unix'], { folder }),
  check('format', ['biome', 'check', '--reporter=summary'], {
    folder,
    mend: 'npx biome format --write mends it.',
  }),
]

export const checks = checksIn()

export const unitTests: Step = tests('unit tests', ['--project=unit'], { timeoutMs: unitTimeoutMs })

/** The suites that need engines, several processes or real wallets. */
export const slowTests: Step = tests('slow suites', ['--project=slow', `--maxWorkers=${SLOW_LANES}`], {
  timeoutMs: slowTimeoutMs,
  live: true,
  looksTwice: true,
})

/** Some test files, or whatever else vitest can choose by; each choice must choose something. */
export const chosenTests = (choice: readonly string[]): Step =>
  tests('chosen', choice, { timeoutMs: slowTimeoutMs, live: true, isNamed: true })

type Manner = Omit<Program, 'command'>
type TestsManner = Manner & { readonly looksTwice?: boolean; readonly isNamed?: boolean }

function check(
  name: string,
  command: readonly string[],
  { folder, mend = '' }: Pick<Manner, 'folder'> & { mend?: string } = {},
): Step {
  return {
    name,
    run: async () => {
      const { ok, seconds, output } = await runProgram({ command, timeoutMs: checkTimeoutMs, folder })
      const tally = ok ? emptyTally : { ...emptyTally, failed: 1, failures: [name] }
      return { name, ok, seconds, output: mend === '' ? output : `${output}\n${mend}`, tally }
    },
  }
}

function tests(
  name: string,
  choice: readonly string[],
  { looksTwice = false, isNamed = false, ...manner }: TestsManner,
): Step {
  return {
    name,
    run: async () => {
      const again = (files: readonly string[] = []) => runTests([...choice, ...files], manner)
      const first = await again()
      const run = looksTwice ? await secondLook(first, again) : first
      const tally = withFailures(tallyOfRun(run), [
        ...(isNamed && run.report ? unmatched(choice, run.report) : []),
        ...first.outcome.survivors.map((command) => `${name} · The tests left a process behind: ${command}`),
      ])
      return { name, ...run.outcome, ok: run.outcome.ok && tally.failed === 0, tally }
    },
  }
}

async function runTests(choice: readonly string[], manner: Manner): Promise<TestRun> {
  const { folder, environment, close } = openSurroundings()
  const file = join(folder, 'report.json')
  const reporters = [
    `--reporter=${manner.live ? './tools/gate/live-reporter.ts' : 'dot'}`,
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  const command = ['vitest', 'run', ...choice, '--silent=passed-only', ...reporters]
  try {
    const outcome = await runProgram({ command, environment, ...manner })
    return { outcome, report: await readReport(file), unsteady: [] }
  } finally {
    close()
  }
}

/** None means that vitest did not come to an end. */
async function readReport(file: string): Promise<VitestReport | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as VitestReport
  } catch {
    return null
  }
}

function tallyOfRun({ outcome, report, unsteady }: TestRun): Tally {
  if (report === null) return { ...emptyTally, failed: 1, failures: ['The tests did not come to an end.'] }
  return { ...tallyOfReport(report, outcome.ok), unsteady }
}
