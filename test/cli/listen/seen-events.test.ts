import { expect, it } from 'vitest'
import { SeenEvents } from '../../../src/cli/listen/seen-events.ts'

it('the events that were heard lately are known, and bounded', () => {
  const seen = new SeenEvents()
  expect([seen.add('evt_1'), seen.add('evt_1'), seen.add('evt_2')]).toEqual([true, false, true])
  for (let number = 3; number <= 2_001; number++) seen.add(`evt_${number}`)
  expect([seen.add('evt_2'), seen.add('evt_1')]).toEqual([false, true])
})
