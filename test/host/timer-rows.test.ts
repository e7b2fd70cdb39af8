import { describe, expect, it } from 'vitest'
import { asks, sameRow, timerChanges } from '../../src/host/timer-rows.ts'

const actor = 'acc_00aaaaaaaa'

describe('rows of timers', () => {
  it('are set and cleared by the difference of two states', () => {
    const before = [
      { id: 'kept', dueMs: 1 },
      { id: 'moved', dueMs: 2 },
      { id: 'dropped', dueMs: 3 },
    ]
    const after = [
      { id: 'kept', dueMs: 1 },
      { id: 'moved', dueMs: 9 },
      { id: 'added', dueMs: 4 },
    ]
    expect(timerChanges(actor, before, after)).toEqual({
      set: [
        { actor, timerId: 'moved', dueMs: 9 },
        { actor, timerId: 'added', dueMs: 4 },
      ],
      cleared: [
        { actor, timerId: 'moved', dueMs: 2 },
        { actor, timerId: 'dropped', dueMs: 3 },
      ],
    })
  })

  it('are asked for by id and time together', () => {
    expect(asks([{ id: 'a', dueMs: 1 }], 'a', 1)).toBe(true)
    expect(asks([{ id: 'a', dueMs: 1 }], 'a', 2)).toBe(false)
  })

  it('are the same when all of them is', () => {
    const row = { actor, timerId: 'a', dueMs: 1 }
    expect(sameRow(row, { ...row })).toBe(true)
    for (const change of [{ actor: 'x' }, { timerId: 'x' }, { dueMs: 2 }])
      expect(sameRow(row, { ...row, ...change })).toBe(false)
  })
})
