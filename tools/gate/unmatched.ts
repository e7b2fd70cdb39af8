import type { VitestReport } from './tally.ts'

/** The word after one of these chooses tests by their names. */
const BEFORE_A_NAME = new Set(['-t', '--testNamePattern'])

/** A line for each choice that no test file answered to, such as a typing error beside a file that passes. */
export const unmatched = (choice: readonly string[], report: VitestReport): string[] =>
  choice
    .filter((each, index) => !each.startsWith('-') && !BEFORE_A_NAME.has(choice[index - 1] ?? ''))
    .filter((each) => !report.testResults.some(({ name }) => answersTo(name, each)))
    .map((each) => `No test file answers to "${each}".`)

/** Vitest chooses by any part of the path; a line number after a colon chooses within the file. */
const answersTo = (file: string, choice: string): boolean =>
  file.includes(choice.replace(/^\.\//, '').replace(/:\d+$/, ''))
