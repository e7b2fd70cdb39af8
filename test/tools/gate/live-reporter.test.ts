import { expect, it } from 'vitest'
import type { TestModule } from 'vitest/node'
import LiveReporter from '../../../tools/gate/live-reporter.ts'

const error = {
  message: 'expected 3 to be 2',
  stack: 'Error\n    at /srv/test/x.test.ts:3:1\n    at run (/srv/node_modules/vitest/run.js:1:1)',
}
const test = { fullName: 'adds', result: () => ({ state: 'failed', errors: [error] }) }
const module = (ok: boolean): TestModule =>
  ({
    relativeModuleId: 'test/x.test.ts',
    ok: () => ok,
    diagnostic: () => ({ duration: 1_540 }),
    errors: () => [],
    children: { allTests: () => (ok ? [] : [test]), allSuites: () => [] },
  }) as unknown as TestModule

const printed = (report: (reporter: LiveReporter) => void): string[] => {
  const lines: string[] = []
  report(new LiveReporter({}, (line) => lines.push(line)))
  return lines
}

it('a file that passed is one line', () => {
  expect(printed((reporter) => reporter.onTestModuleEnd(module(true)))).toEqual([
    'ok         1.5 s     0  test/x.test.ts',
  ])
})

it('a file that failed says at once what failed, and where in our own code', () => {
  const lines = printed((reporter) => reporter.onTestModuleEnd(module(false)))
  expect(lines[0]).toMatch(/^FAILED/)
  expect(lines.slice(1).map((line) => line.trim())).toEqual([
    '✗ adds',
    'expected 3 to be 2',
    'Error',
    'at /srv/test/x.test.ts:3:1',
  ])
})

it('an error outside of every test is told too', () => {
  expect(printed((reporter) => reporter.onTestRunEnd([], [error]))[0]).toBe('  ✗ outside of every test')
})
