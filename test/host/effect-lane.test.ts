import { describe, expect, it } from 'vitest'
import { Lane } from '../../src/host/effect-lane.ts'

type Turn = { readonly name: string; next: Turn | null }

const turn = (name: string): Turn => ({ name, next: null })

describe('a lane', () => {
  it('hands out what stands in it in the order in which it came', () => {
    const lane = new Lane<Turn>('ten', 16, 64, false)
    for (const name of ['a', 'b']) lane.push(turn(name))
    expect(lane.shift()?.name).toBe('a')
    lane.push(turn('c'))
    expect(lane.waiting).toBe(2)
    expect([lane.shift()?.name, lane.shift()?.name, lane.shift()]).toEqual(['b', 'c', null])
    expect(lane.waiting).toBe(0)
  })

  it('is of use again when it was empty, also to whoever stood in it before', () => {
    const lane = new Lane<Turn>('ten', 16, 64, false)
    const [first, second] = [turn('a'), turn('b')]
    lane.push(first)
    lane.push(second)
    lane.shift()
    lane.push(first)
    expect([lane.shift(), lane.shift(), lane.shift()]).toEqual([second, first, null])
  })
})
