import { it } from 'vitest'
import { passNinetyDays } from '../compose/retention-world.ts'

const FINISHED_A_DAY = 37

it('clears all and only what is older than the period in force, of 10,000 exchanges through 90 days', async () => {
  await passNinetyDays(FINISHED_A_DAY)
}, 600_000)
