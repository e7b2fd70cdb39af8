import { expect, it } from 'vitest'
import { isRefused, refuse } from '../../src/domain/refused.ts'

it('a refusal is a reply with a code and a sentence, told from every other reply', () => {
  const refused = refuse('not_found', 'There is none.')
  expect(refused).toEqual({ refused: 'not_found', reason: 'There is none.' })
  expect([refused, { tenant: {} }, null, 'refused', undefined].map(isRefused)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})
