import { describe, expect, it } from 'vitest'
import { addTallies, emptyTally, objections, tallyLine, tallyOfReport } from '../../../tools/gate/tally.ts'

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

  it('counts a file that did not load as one failure', () => {
    expect(tallyOfReport({ testResults: [file('failed'), file('passed', 'passed')] }, false).failed).toBe(1)
  })

  it('counts an error outside of every test as one failure', () => {
    expect(tallyOfReport({ testResults: [file('passed', 'passed')] }, false).failed).toBe(1)
    expect(tallyOfReport({ testResults: [file('passed', 'passed')] }, true).failed).toBe(0)
  })

  it('adds up over the steps', () => {
    const sum = addTallies([
      { passed: 2, failed: 0, skipped: ['a'] },
      { passed: 3, failed: 1, skipped: [] },
    ])
    expect(tallyLine(sum)).toBe('5 passed, 1 failed, 1 skipped')
  })
})

describe('a run', () => {
  it('passes when something passed and nothing failed', () => {
    expect(objections({ passed: 1, failed: 0, skipped: ['slow one'] }, false)).toEqual([])
  })

  it('fails on a skipped test in CI, and names it', () => {
    expect(objections({ passed: 1, failed: 0, skipped: ['slow one'] }, true)).toEqual([
      'Skipped, which CI=true does not allow: slow one',
    ])
  })

  it('fails when nothing ran', () => {
    expect(objections(emptyTally, false)).toEqual(['No test ran, which proves nothing.'])
  })

  it('fails when anything failed', () => {
    expect(objections({ passed: 9, failed: 2, skipped: [] }, false)).toEqual(['2 failed.'])
  })
})
