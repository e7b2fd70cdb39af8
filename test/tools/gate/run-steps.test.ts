import { describe, expect, it } from 'vitest'
import { runSteps } from '../../../tools/gate/run-steps.ts'
import type { Step } from '../../../tools/gate/steps.ts'
import { emptyTally } from '../../../tools/gate/tally.ts'

const step = (name: string, ok: boolean, output: string, passed = 0): Step => ({
  name,
  run: async () => ({ name, ok, output, seconds: 1.234, tally: { ...emptyTally, passed } }),
})

describe('the steps', () => {
  it('print a line each, and what a failed one said', async () => {
    const printed: string[] = []
    const steps = [
      step('types', true, 'quiet'),
      step('lint', false, 'a.ts:1 floating\n\nmend it'),
      step('unit', true, '', 7),
    ]
    const results = await runSteps(steps, 1, (text) => printed.push(text))
    expect(results.map((result) => result.ok)).toEqual([true, false, true])
    expect(printed).toEqual([
      'ok      types           1.2 s',
      'FAILED  lint            1.2 s\n    a.ts:1 floating\n\n    mend it\n',
      'ok      unit            1.2 s  7 passed',
    ])
  })

  it('run no more at a time than they may', async () => {
    let running = 0
    let most = 0
    const counted: Step = {
      name: 'counted',
      run: async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        return step('counted', true, '').run()
      },
    }
    await runSteps(
      Array.from({ length: 6 }, () => counted),
      2,
      () => {},
    )
    expect(most).toBe(2)
  })
})
