import { expect, it } from 'vitest'
import { operateBy } from '../../src/compose/operate.ts'

const operate = operateBy({ echo: { run: async (input) => ({ input }) } })

it('an order is run by its name, and a name that is not there is refused', async () => {
  expect(await operate('echo', { n: 1 })).toEqual({ input: { n: 1 } })
  for (const name of ['echoes', 'toString'])
    expect(await operate(name, {})).toMatchObject({ refused: 'not_found' })
})
