import type { Outcome } from './run-program.ts'
import { tallyOfReport, type VitestReport } from './tally.ts'

/** What a run of vitest came to; without a report it did not come to an end. */
export type TestRun = {
  readonly outcome: Outcome
  readonly report: VitestReport | null
  readonly unsteady: readonly string[]
}

/** What vitest ends with when tests failed and nothing else did. */
const EXIT_FAILED = 1
/** More than this is no accident of a busy machine. */
const FILES_MAX = 3

/**
 * The slow suites start real engines, kill real processes and live by the wall clock, some at a time on whatever machine
 * there is. When up to three files of hundreds fail, they run once more, alone. What fails again has failed. What passes
 * counts as passed and is named at the end, so that it gets mended. A run that was cut off gets no second look, and
 * neither do the unit tests, which depend on nothing but themselves.
 */
export async function secondLook(
  first: TestRun,
  runAlone: (files: readonly string[]) => Promise<TestRun>,
): Promise<TestRun> {
  const files = first.report?.testResults.filter(({ status }) => status === 'failed') ?? []
  if (
    first.outcome.code !== EXIT_FAILED ||
    first.report === null ||
    files.length === 0 ||
    files.length > FILES_MAX
  )
    return first
  const again = await runAlone(files.map(({ name }) => name))
  if (!again.outcome.ok || again.report === null || !isWhole(files, again.report)) return first
  const names = new Set(files.map(({ name }) => name))
  const kept = first.report.testResults.filter(({ name }) => !names.has(name))
  return {
    outcome: { ...again.outcome, seconds: first.outcome.seconds + again.outcome.seconds },
    report: { testResults: [...kept, ...again.report.testResults] },
    unsteady: tallyOfReport({ testResults: files }, true).failures,
  }
}

/** Every test of these files passed this time; a file that did not load before has at least one that did. */
const isWhole = (files: VitestReport['testResults'], again: VitestReport): boolean =>
  files.every(({ name, assertionResults }) => {
    const tests = again.testResults.find((file) => file.name === name)?.assertionResults ?? []
    const passed = new Set(tests.filter(({ status }) => status === 'passed').map((test) => test.fullName))
    return passed.size > 0 && assertionResults.every(({ fullName }) => passed.has(fullName))
  })
