import { describe, expect, it } from 'vitest'
import { diagnose } from '../../src/cli/doctor.ts'
import { always, broken, type Check, fine } from '../../src/cli/doctor/check.ts'
import { ServiceProcess } from '../service-process.ts'

const check = (name: string, run: Check['run'], applies: Check['applies'] = always): Check => ({
  name,
  run,
  applies,
})

describe('the doctor', () => {
  it('tells of every check that applies, in order', async () => {
    const found = await diagnose({}, [
      check('a', async () => fine('good')),
      check('b', async () => broken('bad', 'mend it')),
      check(
        'c',
        async () => fine('good'),
        () => false,
      ),
    ])
    expect(found).toEqual([
      { name: 'configuration', ok: true, detail: 'understood' },
      { name: 'a', ok: true, detail: 'good' },
      { name: 'b', ok: false, detail: 'bad', mend: 'mend it' },
    ])
  })

  it('goes on after a check that breaks', async () => {
    const found = await diagnose({}, [
      check('a', () => Promise.reject(new Error('x'))),
      check('b', async () => fine('good')),
    ])
    expect(found.map(({ ok }) => ok)).toEqual([true, false, true])
  })

  it('tells of each mistake in the configuration and still does the rest', async () => {
    const found = await diagnose({ PORT: 'abc', VOUCHSAFE_NO: '1' }, [check('a', async () => fine('good'))])
    expect(found.map(({ name, ok }) => [name, ok])).toEqual([
      ['configuration', false],
      ['configuration', false],
      ['a', true],
    ])
  })

  it('answers in JSON, with the exit code 1 when anything is broken', async () => {
    const { code, stdout } = await new ServiceProcess({ PORT: 'abc' }, 'src/cli.ts', ['doctor', '--json'])
      .finished
    const { ok, checks } = JSON.parse(stdout) as {
      ok: boolean
      checks: { name: string; ok: boolean; mend?: string }[]
    }
    expect([code, ok, checks[0]?.name]).toEqual([1, false, 'configuration'])
    expect(checks.filter((line) => !line.ok && !line.mend)).toEqual([])
    expect(checks.find(({ name }) => name === 'sqlite')).toMatchObject({ ok: true })
  })

  it('shows people a table with the mend under each failure', async () => {
    const { stdout } = await new ServiceProcess({ PORT: 'abc' }, 'src/cli.ts', ['doctor']).finished
    expect(stdout).toMatch(/^FAIL {2}configuration {2}PORT must be a whole number.*\n {2,}→ correct it/)
    expect(stdout).toMatch(/^ok {4}node /m)
  })
})
