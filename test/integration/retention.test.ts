import { expect, it } from 'vitest'
import { atLength } from '../at-length.ts'
import { passNinetyDays } from '../compose/retention-world.ts'

/** At length, 10,000 exchanges. */
const FINISHED_A_DAY = atLength(11, 37)

it('clears all and only what is older than the period in force, of thousands of exchanges through 90 days', async () => {
  const fine = { exchanges: 92 * 3 * FINISHED_A_DAY, failures: [], wrong: [], organisationsSwept: 3 }
  expect(await passNinetyDays(FINISHED_A_DAY)).toEqual(fine)
}, 600_000)
