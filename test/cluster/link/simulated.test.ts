import { expect, it } from 'vitest'
import { type LinkOutcome, runLinkSchedule } from '../../../tools/simulate/link/link-schedule.ts'
import { linkAsBuilt } from '../../../tools/simulate/link/link-variants.ts'
import { seedFrom } from '../../../tools/simulate/random.ts'

const SCHEDULES = 200

it('links begin each request at most once, end it exactly once, and are whole again after every fault', async () => {
  const first = seedFrom(process.env['SEED'])
  const total = { answered: 0, failed: 0, notSent: 0 }
  const add = ({ answered, failed, notSent }: LinkOutcome): void => {
    total.answered += answered
    total.failed += failed
    total.notSent += notSent
  }
  for (let seed = first; seed < first + SCHEDULES; seed++) {
    const { violation } = await runLinkSchedule(seed, linkAsBuilt, false, add)
    expect(violation, `replay: npm run simulate -- --world link --seed ${seed}`).toBeNull()
  }
  // Each of them happens.
  expect(Math.min(total.answered, total.failed, total.notSent)).toBeGreaterThan(SCHEDULES)
})
