import { describe, expect, it } from 'vitest'
import { secondLook, type TestRun } from '../../../tools/gate/second-look.ts'
import { remarks, tallyOfReport } from '../../../tools/gate/tally.ts'

const file = (name: string, passes: boolean) => ({
  name: `/srv/checkout/test/${name}`,
  status: passes ? 'passed' : 'failed',
  assertionResults: [
    { fullName: 'holds', status: 'passed' },
    { fullName: 'arrives', status: passes ? 'passed' : 'failed', failureMessages: ['too late\n at x'] },
  ],
})

const runOf = (files: ReturnType<typeof file>[]): TestRun => ({
  outcome: outcomeOf(files.every(({ status }) => status === 'passed') ? 0 : 1),
  report: { testResults: files },
  unsteady: [],
})

const tallyOf = ({ outcome, report }: TestRun) => report && tallyOfReport(report, outcome.ok)

describe('a second look', () => {
  it('runs what failed alone, and names what passes then', async () => {
    const asked: string[][] = []
    const first = runOf([file('a.test.ts', true), file('b.test.ts', false)])
    const run = await secondLook(first, async (files) => {
      asked.push([...files])
      return runOf([file('b.test.ts', true)])
    })
    expect(asked).toEqual([['/srv/checkout/test/b.test.ts']])
    expect(run.outcome).toMatchObject({ ok: true, seconds: 4 })
    expect(tallyOf(run)).toMatchObject({ passed: 4, failed: 0 })
    const [said] = remarks({ passed: 4, failed: 0, skipped: [], failures: [], unsteady: run.unsteady })
    expect(said).toMatch(/^Unsteady, .*: test\/b\.test\.ts · arrives · too late$/)
  })

  it('leaves failed what fails again', async () => {
    const first = runOf([file('a.test.ts', true), file('b.test.ts', false)])
    expect(await secondLook(first, async () => runOf([file('b.test.ts', false)]))).toBe(first)
  })

  it('leaves failed what is not there again', async () => {
    const first = runOf([file('a.test.ts', false), file('b.test.ts', false)])
    for (const again of [[], [file('a.test.ts', true)]])
      expect(await secondLook(first, async () => runOf(again))).toBe(first)
  })

  it.each([
    ['all passed', runOf([file('a.test.ts', true)])],
    ['more failed than an accident explains', runOf(['a', 'b', 'c', 'd'].map((name) => file(name, false)))],
    ['the run was cut off', { ...runOf([file('a.test.ts', false)]), report: null }],
    ['it failed outside of every test', { ...runOf([file('a.test.ts', true)]), outcome: outcomeOf(1) }],
    ['something failed beside a test', { ...runOf([file('a.test.ts', false)]), outcome: outcomeOf(3) }],
    ['it took too long', { ...runOf([file('a.test.ts', false)]), outcome: outcomeOf(null) }],
  ])('is not taken where %s', async (_, first) => {
    expect(await secondLook(first, () => Promise.reject(new Error('ran again')))).toBe(first)
  })
})

function outcomeOf(code: number | null) {
  return { ok: code === 0, code, output: '', seconds: 2, survivors: [] }
}
