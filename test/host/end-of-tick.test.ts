import { describe, expect, it } from 'vitest'
import { TurnEnd } from '../../src/host/end-of-tick.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('the end of a turn', () => {
  it('is told to everybody who asked for it, once and in order', async () => {
    const turnEnd = new TurnEnd()
    const told: string[] = []
    for (const name of ['a', 'b']) turnEnd.tell({ turnEnded: () => told.push(name) })
    expect(told).toEqual([])
    await nextTurn()
    expect(told).toEqual(['a', 'b'])
    await nextTurn()
    expect(told).toEqual(['a', 'b'])
  })

  it('can be asked for again when it has come', async () => {
    const turnEnd = new TurnEnd()
    let turns = 0
    const listener = {
      turnEnded: () => {
        if (++turns < 3) turnEnd.tell(listener)
      },
    }
    turnEnd.tell(listener)
    for (let turn = 0; turn < 4; turn++) await nextTurn()
    expect(turns).toBe(3)
  })
})
