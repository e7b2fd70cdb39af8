import { describe, expect, it } from 'vitest'
import {
  addTallies,
  emptyTally,
  objections,
  tallyLine,
  tallyOfCargo,
  tallyOfReport,
} from '../../../tools/gate/tally.ts'

const file = (status: string, ...tests: string[]) => ({
  name: 'x.test.ts',
  status,
  assertionResults: tests.map((test, index) => ({ fullName: `test ${index}`, status: test })),
})

describe('a tally', () => {
  it('counts what passed, failed and was skipped', () => {
    const report = {
      testResults: [file('failed', 'passed', 'failed', 'skipped'), file('passed', 'passed', 'todo')],
    }
    const tally = tallyOfReport(report, false)
    expect(tallyLine(tally)).toBe('2 passed, 1 failed, 2 skipped')
  })

  it('says of each failure where it is and what was wrong, in a line', () => {
    const test = { fullName: 'adds', status: 'failed', failureMessages: ['expected 3 to be 2\n  at x:1'] }
    const name = '/srv/checkout/test/x.test.ts'
    const files = [
      { name, status: 'failed', assertionResults: [test] },
      { name, status: 'failed', message: 'no such module\nby x', assertionResults: [] },
    ]
    expect(tallyOfReport({ testResults: files }, false).failures).toEqual([
      'test/x.test.ts · adds · expected 3 to be 2',
      'test/x.test.ts · no such module',
    ])
  })

  it('counts a file that did not load as one failure', () => {
    expect(tallyOfReport({ testResults: [file('failed'), file('passed', 'passed')] }, false).failed).toBe(1)
  })

  it('counts an error outside of every test as one failure', () => {
    expect(tallyOfReport({ testResults: [file('passed', 'passed')] }, false).failed).toBe(1)
    expect(tallyOfReport({ testResults: [file('passed', 'passed')] }, true).failed).toBe(0)
  })

  it('counts the tests of the engine, and names those that failed', () => {
    const lines = ['test faults::one ... ok', 'test primes::two ... FAILED', 'test three ... ignored']
    const output = `running 3 tests\n${lines.join('\n')}\n\ntest result: FAILED. 1 passed; 1 failed`
    expect(tallyOfCargo(output, false)).toEqual({
      passed: 1,
      failed: 1,
      skipped: ['engine · three'],
      failures: ['engine · primes::two'],
      unsteady: [],
    })
  })

  it('counts an engine that was not built, or whose tests did not end, as one failure', () => {
    expect(tallyOfCargo('error: could not compile', false).failed).toBe(1)
    expect(tallyOfCargo('test one ... ok', false).failed).toBe(1)
    expect(tallyOfCargo('test one ... ok\n\ntest result: ok. 1 passed', true).failed).toBe(0)
  })

  it('adds up over the steps', () => {
    const sum = addTallies([
      { passed: 2, failed: 0, skipped: ['a'], failures: [], unsteady: ['c'] },
      { passed: 3, failed: 1, skipped: [], failures: ['b'], unsteady: [] },
    ])
    expect(tallyLine(sum)).toBe('5 passed, 1 failed, 1 skipped')
  })
})

describe('a run', () => {
  it('passes when something passed and nothing failed', () => {
    expect(objections({ ...emptyTally, passed: 1, skipped: ['slow one'] }, false)).toEqual([])
  })

  it('fails on a skipped test in CI, and names it', () => {
    expect(objections({ ...emptyTally, passed: 1, skipped: ['slow one'] }, true)).toEqual([
      'Skipped, which CI=true does not allow: slow one',
    ])
  })

  it('fails when nothing ran', () => {
    expect(objections(emptyTally, false)).toEqual(['No test ran, which proves nothing.'])
  })

  it('fails when anything failed', () => {
    const failures = ['types', 'test/x.test.ts · adds · expected 3 to be 2']
    expect(objections({ ...emptyTally, passed: 9, failed: 2, failures }, false)).toEqual([
      ...failures,
      '2 failed.',
    ])
  })
})
