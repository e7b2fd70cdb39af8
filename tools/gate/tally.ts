/** How many tests passed, failed and were skipped, over everything the gate ran. */
export type Tally = {
  readonly passed: number
  readonly failed: number
  readonly skipped: readonly string[]
  /** What failed, a line each: said again at the end, where a long report is still read. */
  readonly failures: readonly string[]
  /** What failed beside the other suites and passed alone: no reason to stop a delivery, and one to mend a test. */
  readonly unsteady: readonly string[]
}

export const emptyTally: Tally = { passed: 0, failed: 0, skipped: [], failures: [], unsteady: [] }

/** What vitest's JSON reporter writes, as far as it is read here. */
export type VitestReport = {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    /** Why the file did not load. */
    readonly message?: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages?: readonly string[] | null
    }[]
  }[]
}

export function tallyOfReport(report: VitestReport, exitedWell: boolean): Tally {
  const tests = report.testResults.flatMap((file) => file.assertionResults)
  const failures = report.testResults.flatMap(failuresOfFile)
  // An error outside of any test fails the run without failing a test.
  if (failures.length === 0 && !exitedWell) failures.push('The run failed outside of every test.')
  return {
    passed: tests.filter((test) => test.status === 'passed').length,
    failed: failures.length,
    skipped: tests.filter((test) => !['passed', 'failed'].includes(test.status)).map((test) => test.fullName),
    failures,
    unsteady: [],
  }
}

/** A file that fails without a failed test did not load, or a hook of it failed. */
function failuresOfFile(file: VitestReport['testResults'][number]): string[] {
  const failed = file.assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0) return file.status === 'failed' ? [failureLine(file.name, '', file.message)] : []
  return failed.map((test) => failureLine(file.name, test.fullName, test.failureMessages?.[0]))
}

function failureLine(file: string, test: string, message = ''): string {
  const place = file.slice(Math.max(0, file.lastIndexOf('/test/') + 1))
  return [place, test, (message.split('\n', 1)[0] ?? '').slice(0, 300)].filter(Boolean).join(' · ')
}

/** What `cargo test` printed. Without a result the tests were not built, or did not come to an end. */
export function tallyOfCargo(output: string, exitedWell: boolean): Tally {
  const named = (outcome: string): string[] =>
    [...output.matchAll(/^test (\S+) \.\.\. (\w+)/gm)]
      .filter((line) => line[2] === outcome)
      .map((line) => `engine · ${line[1]}`)
  const failures = named('FAILED')
  const ended = /^test result: \w+\. [1-9]\d* passed/m.test(output)
  if (failures.length === 0 && !(ended && exitedWell))
    failures.push('engine · The tests did not come to an end.')
  return {
    passed: named('ok').length,
    failed: failures.length,
    skipped: named('ignored'),
    failures,
    unsteady: [],
  }
}

export const withFailures = (tally: Tally, lines: readonly string[]): Tally => ({
  ...tally,
  failed: tally.failed + lines.length,
  failures: [...tally.failures, ...lines],
})

export function addTallies(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, tally) => ({
      passed: sum.passed + tally.passed,
      failed: sum.failed + tally.failed,
      skipped: [...sum.skipped, ...tally.skipped],
      failures: [...sum.failures, ...tally.failures],
      unsteady: [...sum.unsteady, ...tally.unsteady],
    }),
    emptyTally,
  )
}

/** A line for each failure that a second look did not find again. */
export function remarks(tally: Tally): string[] {
  return tally.unsteady.map((failure) => `Unsteady, failed beside the others and passed alone: ${failure}`)
}

/** Why a run must not count as passed, one sentence each; empty when it may. */
export function objections(tally: Tally, strict: boolean): string[] {
  const reasons: string[] = []
  if (tally.failed > 0) reasons.push(...tally.failures, `${tally.failed} failed.`)
  if (tally.passed === 0) reasons.push('No test ran, which proves nothing.')
  if (strict) reasons.push(...tally.skipped.map((name) => `Skipped, which CI=true does not allow: ${name}`))
  return reasons
}

export function tallyLine(tally: Tally): string {
  return `${tally.passed} passed, ${tally.failed} failed, ${tally.skipped.length} skipped`
}
