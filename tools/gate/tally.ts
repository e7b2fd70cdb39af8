/** How many tests passed, failed and were skipped, over everything the gate ran. */
export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: readonly string[] }

export const emptyTally: Tally = { passed: 0, failed: 0, skipped: [] }

/** What vitest's JSON reporter writes, as far as it is read here. */
export type VitestReport = {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

export function tallyOfReport(report: VitestReport, exitedWell: boolean): Tally {
  const tests = report.testResults.flatMap((file) => file.assertionResults)
  const failedTests = tests.filter((test) => test.status === 'failed').length
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  const failed = failedTests + brokenFiles
  return {
    passed: tests.filter((test) => test.status === 'passed').length,
    // An error outside of any test fails the run without failing a test.
    failed: failed === 0 && !exitedWell ? 1 : failed,
    skipped: tests.filter((test) => !['passed', 'failed'].includes(test.status)).map((test) => test.fullName),
  }
}

export function addTallies(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, tally) => ({
      passed: sum.passed + tally.passed,
      failed: sum.failed + tally.failed,
      skipped: [...sum.skipped, ...tally.skipped],
    }),
    emptyTally,
  )
}

/** Why a run must not count as passed, one sentence each; empty when it may. */
export function objections(tally: Tally, strict: boolean): string[] {
  const reasons: string[] = []
  if (tally.failed > 0) reasons.push(`${tally.failed} failed.`)
  if (tally.passed === 0) reasons.push('No test ran, which proves nothing.')
  if (strict) reasons.push(...tally.skipped.map((name) => `Skipped, which CI=true does not allow: ${name}`))
  return reasons
}

export function tallyLine(tally: Tally): string {
  return `${tally.passed} passed, ${tally.failed} failed, ${tally.skipped.length} skipped`
}
