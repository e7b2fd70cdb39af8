import { expect, it } from 'vitest'
import { passNinetyDays } from '../compose/retention-world.ts'

const FINISHED_A_DAY = 37

it('clears all and only what is older than the period in force, of 10,000 exchanges through 90 days', async () => {
  const fine = { exchanges: 92 * 3 * FINISHED_A_DAY, failures: [], wrong: [], organisationsSwept: 3 }
  expect(await passNinetyDays(FINISHED_A_DAY)).toEqual(fine)
}, 600_000)
